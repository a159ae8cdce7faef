package account

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/record"
)

// SignUp says who may create an account.
type SignUp string

// The settings of TECTONIC_SIGNUP.
const (
	SignUpOpen   SignUp = "open"
	SignUpInvite SignUp = "invite"
	SignUpClosed SignUp = "closed"
)

// Options is what a Service is made from.
type Options struct {
	DB      *db.DB
	Log     *slog.Logger
	SignUp  SignUp           // zero = open
	Denials *record.Denials  // writes who was turned away; nil = a writer of its own
	Hooks   Hooks            // what others keep for people
	Now     func() time.Time // for the throttle; nil = time.Now
}

// Hooks are what other parts of bedrock do, in the transaction of the change,
// when somebody goes. A nil one does nothing.
type Hooks struct {
	// Left ends what the account allows programs to do in the workspace.
	Left func(ctx context.Context, tx *db.Tx, who id.AccountID, ws id.WorkspaceID) error
	// Gone removes what else is kept about an account that is about to be
	// deleted.
	Gone func(ctx context.Context, tx *db.Tx, who id.AccountID) error
}

// Service keeps accounts. It is safe for concurrent use.
type Service struct {
	o        Options
	throttle *throttle
	matches  func(ctx context.Context, password, hashed string) (bool, error)
}

// New returns a Service.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.SignUp == "" {
		o.SignUp = SignUpOpen
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Denials == nil {
		o.Denials = record.NewDenials(o.DB, o.Log, o.Now)
	}
	return &Service{o: o, throttle: newThrottle(o.Now), matches: matches}
}

// Door says over which door a change of an account came, and under which
// request id the logs know it.
type Door struct {
	Transport  contract.Transport
	Correlator string
	Address    string // of the client, for the throttle; "" on the command line
}

// denied writes down that somebody was turned away; the account and the
// workspace are 0 when nobody is known.
func (s *Service) denied(ctx context.Context, door Door, name string, who id.AccountID, ws id.WorkspaceID, r *fault.Refusal) error {
	_, err := s.o.Denials.Append(ctx, record.Row{
		Ref: id.Ref(), Phase: record.Denial, Event: name, Refusal: r,
		Caller: contract.Caller{Account: who, Workspace: ws, Transport: door.Transport, Correlator: door.Correlator, Address: door.Address},
	})
	return err
}

// event appends one row about the account to the record, inside tx; refs are
// handles of what it touched, such as "member:12".
func event(ctx context.Context, tx *db.Tx, door Door, name string, who id.AccountID, ws id.WorkspaceID, refs ...string) error {
	return record.Append(ctx, tx, record.Row{
		Ref: id.Ref(), Phase: record.Event, Event: name, Refs: refs,
		Caller: contract.Caller{Account: who, Workspace: ws, Transport: door.Transport, Correlator: door.Correlator},
	})
}

// change runs fn as the only change of the workspace's people at a time, with
// what the caller is in it now. A denial is recorded under the name.
func (s *Service) change(ctx context.Context, door Door, who contract.Caller, denied string, fn func(*db.Tx, acting) error) error {
	err := s.o.DB.Write(ctx, func(tx *db.Tx) error {
		if err := db.LockWorkspace(ctx, tx, who.Workspace); err != nil {
			return err
		}
		a, err := actingIn(ctx, tx, door, who)
		if err != nil {
			return err
		}
		return fn(tx, a)
	})
	if r, ok := errors.AsType[*fault.Refusal](err); ok && r.Kind == fault.Denied {
		if err := s.denied(ctx, door, denied, who.Account, who.Workspace, r); err != nil {
			return err
		}
	}
	return err
}

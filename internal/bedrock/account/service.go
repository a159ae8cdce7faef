package account

import (
	"context"
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
	Now     func() time.Time // for the throttle; nil = time.Now
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

// event appends one row about the account to the record, inside tx.
func event(ctx context.Context, tx *db.Tx, door Door, name string, who id.AccountID, ws id.WorkspaceID) error {
	return record.Append(ctx, tx, record.Row{
		Ref: id.Ref(), Phase: record.Event, Event: name,
		Caller: contract.Caller{Account: who, Workspace: ws, Transport: door.Transport, Correlator: door.Correlator},
	})
}

package account

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/account/store"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		in := newAccount("  Lifter@Example.com ")
		in.TimeZone = "Europe/Kyiv"
		first := mustCreate(t, s, in)
		second := mustCreate(t, s, newAccount("coach@example.com"))
		who, err := s.Identity(t.Context(), first.Account, first.Workspace, first.Epoch)
		if err != nil {
			t.Fatal(err)
		}
		if !who.Admin || who.Caller.Email != "Lifter@Example.com" || who.Caller.Role != contract.Owner || who.Caller.WorkspaceName != "Personal" || who.Caller.Zone.String() != "Europe/Kyiv" {
			t.Errorf("got %+v", who)
		}
		want := []Membership{{Workspace: first.Workspace, Name: "Personal", Role: contract.Owner, Zone: who.Caller.Zone}}
		if diff := cmp.Diff(want, who.Memberships, cmp.Comparer(func(a, b *time.Location) bool { return a.String() == b.String() })); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		if who, err := s.Identity(t.Context(), second.Account, second.Workspace, second.Epoch); err != nil || who.Admin {
			t.Errorf("got %+v, %v, want a second account that is no admin", who, err)
		}
		if who, err := s.Identity(t.Context(), second.Account, first.Workspace, 0); err != nil || who.Caller.Workspace != second.Workspace {
			t.Errorf("got %+v, %v, want its own workspace instead of another's", who, err)
		}
		if got := one[int](t, d, "SELECT count(*) FROM record_rows WHERE phase = 'event' AND event = 'account.created' AND correlator = 'trace-1'"); got != 2 {
			t.Errorf("got %d events, want 2", got)
		}
		if got := one[string](t, d, "SELECT password_hash FROM accounts WHERE id = $1", first.Account); !strings.HasPrefix(got, "$argon2id$v=19$m=65536,t=1,p=2$") {
			t.Errorf("got the hash %s", got)
		}
	})
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	const noAddress = "That does not look like an e-mail address; it should be like you@example.com."
	valid := NewAccount{Email: "new@example.com", Password: password}
	for _, c := range []struct {
		name   string
		change func(*NewAccount)
		field  string
		code   fault.Code
		want   string
	}{
		{"an address that is taken in other case", func(n *NewAccount) { n.Email = "LIFTER@example.COM" }, "email", fault.CodeConflict, "There is already an account with that e-mail address. Log in instead."},
		{"a taken address in full-width letters", func(n *NewAccount) { n.Email = "ｌifter@example.com" }, "email", fault.CodeConflict, "There is already an account with that e-mail address. Log in instead."},
		{"no address", func(n *NewAccount) { n.Email = " " }, "email", fault.CodeBadArguments, noAddress},
		{"an address without a domain", func(n *NewAccount) { n.Email = "lifter" }, "email", fault.CodeBadArguments, noAddress},
		{"an address with a name", func(n *NewAccount) { n.Email = "Me <me@example.com>" }, "email", fault.CodeBadArguments, noAddress},
		{"two addresses", func(n *NewAccount) { n.Email = "a@example.com, b@example.com" }, "email", fault.CodeBadArguments, noAddress},
		{"an address with a line break", func(n *NewAccount) { n.Email = "a@example.com\r\nBcc: b@example.com" }, "email", fault.CodeBadArguments, noAddress},
		{"an address with U+0000", func(n *NewAccount) { n.Email = "a\x00@example.com" }, "email", fault.CodeBadArguments, noAddress},
		{"an address that is too long", func(n *NewAccount) { n.Email = strings.Repeat("a", 243) + "@example.com" }, "email", fault.CodeBadArguments, "An e-mail address has at most 254 characters."},
		{"a short password", func(n *NewAccount) { n.Password = "ninechars" }, "password", fault.CodeBadArguments, "A password needs at least 10 characters; this one has 9."},
		{"a long password", func(n *NewAccount) { n.Password = strings.Repeat("é", 257) }, "password", fault.CodeBadArguments, "A password has at most 256 characters; this one has 257."},
		{"an unknown zone", func(n *NewAccount) { n.TimeZone = "Mars/Base" }, "time_zone", fault.CodeBadArguments, `"Mars/Base" is not a time zone this server knows.`},
		{"the zone of this machine", func(n *NewAccount) { n.TimeZone = "Local" }, "time_zone", fault.CodeBadArguments, `"Local" is not a time zone this server knows.`},
		{"a zone outside the data", func(n *NewAccount) { n.TimeZone = "../../etc/passwd" }, "time_zone", fault.CodeBadArguments, `"../../etc/passwd" is not a time zone this server knows.`},
		{"a long name of the workspace", func(n *NewAccount) { n.Workspace = strings.Repeat("é", 81) }, "name", fault.CodeBadArguments, "A workspace needs a name of 1 to 80 characters."},
		{"a name with U+0000", func(n *NewAccount) { n.Workspace = "a\x00" }, "name", fault.CodeBadArguments, "The name of a workspace cannot hold control characters."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			testkit.Each(t, func(t *testing.T, d *db.DB) {
				s := New(Options{DB: d})
				mustCreate(t, s, newAccount("lifter@example.com"))
				in := valid
				c.change(&in)
				_, err := s.Create(t.Context(), page, in)
				wantSentence(t, err, c.code, c.want)
				if refused(t, err).Problem(c.field) == "" {
					t.Errorf("the refusal is not about %s: %+v", c.field, refused(t, err).Fields)
				}
				if got := one[int](t, d, "SELECT (SELECT count(*) FROM accounts) + (SELECT count(*) FROM workspaces)"); got != 2 {
					t.Errorf("got %d rows, want those of the first account", got)
				}
			})
		})
	}
}

func TestSignUpSetting(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		for setting, want := range map[SignUp]string{
			SignUpClosed: "This server takes no new accounts.",
			SignUpInvite: "This server takes new accounts by invitation only. Open the link of an invitation, or ask the person who runs it.",
		} {
			s := New(Options{DB: d, SignUp: setting})
			_, err := s.Create(t.Context(), page, newAccount("a@example.com"))
			wantSentence(t, err, "signup_closed", want)
			if got := refused(t, err).HTTPStatus(); got != 403 {
				t.Errorf("got status %d, want 403", got)
			}
			if _, err := s.Create(t.Context(), shell, newAccount(string(setting)+"@example.com")); err != nil {
				t.Errorf("%s: the operator of the machine was refused: %v", setting, err)
			}
		}
	})
}

// However many people sign up on an empty instance at once, one administers it.
func TestOneFirstAccount(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		var group sync.WaitGroup
		for i := range 8 {
			params := store.InsertAccountParams{Email: "x", EmailKey: string(rune('a' + i)), PasswordHash: "x"}
			group.Go(func() {
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					_, err := create(t.Context(), tx, page, params, "Personal", time.UTC)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		admins := one[int](t, d, "SELECT count(*) FROM accounts WHERE is_instance_admin")
		if all := one[int](t, d, "SELECT count(*) FROM accounts"); admins != 1 || all != 8 {
			t.Errorf("got %d admins of %d accounts, want 1 of 8", admins, all)
		}
	})
}

func TestOneAddressAtOnce(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		var group sync.WaitGroup
		errs := make([]error, 4)
		for i := range errs {
			group.Go(func() { _, errs[i] = s.Create(t.Context(), page, newAccount("lifter@example.com")) })
		}
		group.Wait()
		made := len(errs)
		for _, err := range errs {
			if err != nil {
				made--
				wantSentence(t, err, fault.CodeConflict, "There is already an account with that e-mail address. Log in instead.")
			}
		}
		if made != 1 || one[int](t, d, "SELECT count(*) FROM workspaces") != 1 {
			t.Errorf("got %d accounts", made)
		}
	})
}

package account

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/testkit"
)

// crew is a workspace with an owner and whoever joins.
type crew struct {
	t     *testing.T
	d     *db.DB
	s     *Service
	owner contract.Caller
}

func newCrew(t *testing.T, d *db.DB) crew {
	t.Helper()
	s := New(Options{DB: d})
	started := mustCreate(t, s, NewAccount{Email: "owner@example.com", Password: password, Workspace: "Garage"})
	return crew{t, d, s, contract.Caller{Account: started.Account, Email: "owner@example.com", Workspace: started.Workspace, WorkspaceName: "Garage", Role: contract.Owner}}
}

// outsider returns somebody with a workspace of their own, as if they worked in
// the crew's.
func (c crew) outsider(name string) contract.Caller {
	c.t.Helper()
	started := mustCreate(c.t, c.s, newAccount(name+"@example.com"))
	return contract.Caller{Account: started.Account, Email: name + "@example.com", Workspace: c.owner.Workspace, WorkspaceName: "Garage"}
}

// with lets somebody join in a role.
func (c crew) with(name string, role contract.Role) contract.Caller {
	c.t.Helper()
	who := c.outsider(name)
	token, err := c.s.Invite(c.t.Context(), page, c.owner, role)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.s.Join(c.t.Context(), page, who.Account, token); err != nil {
		c.t.Fatal(err)
	}
	who.Role = role
	return who
}

// member returns the membership id of somebody.
func (c crew) member(who contract.Caller) int64 {
	c.t.Helper()
	return one[int64](c.t, c.d, "SELECT id FROM members WHERE workspace_id = $1 AND account_id = $2", who.Workspace, who.Account)
}

func (c crew) owners() int {
	return one[int](c.t, c.d, "SELECT count(*) FROM members WHERE workspace_id = $1 AND role = 'owner'", c.owner.Workspace)
}

func (c crew) events(name string) int {
	return one[int](c.t, c.d, "SELECT count(*) FROM record_rows WHERE phase = 'event' AND event = $1", name)
}

func eachCrew(t *testing.T, fn func(*testing.T, crew)) {
	t.Helper()
	testkit.Each(t, func(t *testing.T, d *db.DB) { fn(t, newCrew(t, d)) })
}

func TestInvite(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		token, err := c.s.Invite(t.Context(), page, c.owner, contract.Member)
		if err != nil || len(token) < 43 {
			t.Fatalf("got %q, %v, want 256 bits", token, err)
		}
		if n := one[int](t, c.d, "SELECT count(*) FROM invites WHERE token_hash = $1", token); n != 0 {
			t.Error("the token itself is stored")
		}
		coach := c.outsider("coach")
		found, err := c.s.Invitation(t.Context(), token, 0)
		if err != nil || found.Name != "Garage" || found.Role != contract.Member || found.By != "owner@example.com" {
			t.Fatalf("got %+v, %v", found, err)
		}
		if _, err := c.s.Join(t.Context(), page, c.owner.Account, token); refused(t, err).Code != ErrMember {
			t.Errorf("got %v, want a member told so", err)
		}
		if joined, err := c.s.Join(t.Context(), page, coach.Account, token); err != nil || joined.Workspace != c.owner.Workspace {
			t.Fatalf("got %+v, %v", joined, err)
		}
		who, err := c.s.Identity(t.Context(), coach.Account, c.owner.Workspace, 0)
		if err != nil || who.Caller.Role != contract.Member || len(who.Memberships) != 2 {
			t.Errorf("got %+v, %v", who, err)
		}
		_, err = c.s.Join(t.Context(), page, c.outsider("other").Account, token)
		wantDead(t, err)
		if _, err := c.s.Invitation(t.Context(), token, coach.Account); err != nil {
			t.Errorf("whoever used the link is told so: %v", err)
		}
		if c.events("member.invited") != 1 || c.events("member.joined") != 1 {
			t.Errorf("got %d and %d events", c.events("member.invited"), c.events("member.joined"))
		}
	})
}

func wantDead(t *testing.T, err error) {
	t.Helper()
	wantSentence(t, err, fault.CodeNotFound, deadLink+" Ask whoever sent it for a new one.")
}

func TestDeadLinksSayOneThing(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		c := newCrew(t, d)
		somebody := c.outsider("somebody")
		admin := c.with("admin", contract.Admin)
		link := func(by contract.Caller) string {
			token, err := c.s.Invite(t.Context(), page, by, contract.Viewer)
			if err != nil {
				t.Fatal(err)
			}
			return token
		}
		over, back, demoted := link(c.owner), link(c.owner), link(admin)
		exec(t, d, "UPDATE invites SET expires_at = created_at WHERE token_hash = '"+tokenHash(over)+"'")
		if err := c.s.RevokeInvite(t.Context(), page, c.owner, one[int64](t, d, "SELECT id FROM invites WHERE token_hash = $1", tokenHash(back))); err != nil {
			t.Fatal(err)
		}
		exec(t, d, fmt.Sprintf("UPDATE members SET role = 'member' WHERE id = %d", c.member(admin)))
		for name, token := range map[string]string{"unknown": "nonsense", "empty": "", "over": over, "taken back": back, "of a former admin": demoted} {
			_, err := c.s.Invitation(t.Context(), token, somebody.Account)
			wantDead(t, err)
			_, err = c.s.Join(t.Context(), page, somebody.Account, token)
			wantDead(t, err)
			if t.Failed() {
				t.Fatalf("the link that is %s", name)
			}
		}
	})
}

func TestInviteSignsUp(t *testing.T) {
	t.Parallel()
	for setting, allowed := range map[SignUp]bool{SignUpOpen: true, SignUpInvite: true, SignUpClosed: false} {
		t.Run(string(setting), func(t *testing.T) {
			t.Parallel()
			eachCrew(t, func(t *testing.T, c crew) {
				token, err := c.s.Invite(t.Context(), page, c.owner, contract.Viewer)
				if err != nil {
					t.Fatal(err)
				}
				s := New(Options{DB: c.d, SignUp: setting})
				in := newAccount("coach@example.com")
				in.Invite = token
				started, err := s.Create(t.Context(), page, in)
				if !allowed {
					if refused(t, err).Code != "signup_closed" {
						t.Errorf("got %v", err)
					}
					return
				}
				if err != nil || started.Workspace != c.owner.Workspace {
					t.Fatalf("got %+v, %v, want a start in the shared workspace", started, err)
				}
				in.Email = "second@example.com"
				_, err = s.Create(t.Context(), page, in)
				wantDead(t, err)
				if n := one[int](t, c.d, "SELECT count(*) FROM accounts"); n != 2 {
					t.Errorf("got %d accounts, want none made by a used link", n)
				}
			})
		})
	}
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		callers := map[contract.Role]contract.Caller{
			contract.Owner: c.owner, contract.Admin: c.with("admin", contract.Admin),
			contract.Member: c.with("member", contract.Member), contract.Viewer: c.with("viewer", contract.Viewer),
			"": c.outsider("stranger"),
		}
		for role, caller := range callers {
			for _, other := range Roles {
				may := role == contract.Owner || role == contract.Admin && other != contract.Owner
				caller.Role = contract.Owner // what the request believes does not count
				if _, err := c.s.Invite(t.Context(), page, caller, other); (err == nil) != may {
					t.Errorf("%q invites %s: %v", role, other, err)
				}
			}
		}
		admin := callers[contract.Admin]
		for what, err := range map[string]error{
			"demotes an owner":      second(c.s.SetRole(t.Context(), page, admin, c.member(c.owner), contract.Viewer)),
			"makes an owner":        second(c.s.SetRole(t.Context(), page, admin, c.member(callers[contract.Member]), contract.Owner)),
			"makes itself an owner": second(c.s.SetRole(t.Context(), page, admin, c.member(admin), contract.Owner)),
			"removes an owner":      second(c.s.Remove(t.Context(), page, admin, c.member(c.owner))),
			"deletes the workspace": second(c.s.DeleteWorkspace(t.Context(), page, admin, "Garage")),
		} {
			if r := refused(t, err); r.Kind != fault.Denied {
				t.Errorf("an admin %s: %v", what, err)
			}
		}
		if n := one[int](t, c.d, "SELECT count(*) FROM record_rows WHERE phase = 'denial' AND event IN ('member.change_refused', 'workspace.delete_refused')"); n != 5 {
			t.Errorf("got %d denials in the record, want 5", n)
		}
		if _, err := c.s.SetRole(t.Context(), page, c.owner, 9999, contract.Viewer); refused(t, err).Kind != fault.NotFound {
			t.Errorf("got %v", err)
		}
		if _, err := c.s.SetRole(t.Context(), page, c.owner, c.member(admin), "king"); refused(t, err).Code != fault.CodeBadArguments {
			t.Errorf("got %v", err)
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestAForeignMemberIsNotThere(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		stranger := c.outsider("stranger")
		own := one[int64](t, c.d, "SELECT id FROM members WHERE account_id = $1", stranger.Account)
		const sentence = "There is no such member in this workspace."
		wantSentence(t, second(c.s.SetRole(t.Context(), page, c.owner, own, contract.Viewer)), fault.CodeNotFound, sentence)
		wantSentence(t, second(c.s.Remove(t.Context(), page, c.owner, own)), fault.CodeNotFound, sentence)
		home := stranger
		home.Workspace = one[id.WorkspaceID](t, c.d, "SELECT workspace_id FROM members WHERE account_id = $1", stranger.Account)
		if _, err := c.s.Invite(t.Context(), page, home, contract.Viewer); err != nil {
			t.Fatal(err)
		}
		foreign := one[int64](t, c.d, "SELECT id FROM invites WHERE workspace_id = $1", home.Workspace)
		wantSentence(t, c.s.RevokeInvite(t.Context(), page, c.owner, foreign), fault.CodeNotFound, "There is no such invitation in this workspace.")
	})
}

func TestTheLastOwnerStays(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		other := c.with("other", contract.Member)
		const sentence = "Garage would have no owner then. Make somebody else an owner first, or delete the workspace."
		wantSentence(t, second(c.s.SetRole(t.Context(), page, c.owner, c.member(c.owner), contract.Admin)), fault.CodeRefused, sentence)
		wantSentence(t, second(c.s.Leave(t.Context(), page, c.owner)), fault.CodeRefused, sentence)
		if _, err := c.s.SetRole(t.Context(), page, c.owner, c.member(other), contract.Owner); err != nil {
			t.Fatal(err)
		}
		if next, err := c.s.Leave(t.Context(), page, other); err != nil || next == 0 || next == c.owner.Workspace {
			t.Errorf("got %d, %v", next, err)
		}
		if _, err := c.s.Leave(t.Context(), page, other); refused(t, err).Kind != fault.Denied {
			t.Errorf("leaving twice: %v", err)
		}
		if c.events("member.left") != 1 || c.events("member.role_changed") != 1 {
			t.Errorf("got %d and %d events", c.events("member.left"), c.events("member.role_changed"))
		}
	})
}

// together runs all at once and returns their errors.
func together(all ...func() error) []error {
	errs := make([]error, len(all))
	start := make(chan struct{})
	var work sync.WaitGroup
	for i, fn := range all {
		work.Go(func() { <-start; errs[i] = fn() })
	}
	close(start)
	work.Wait()
	return errs
}

func succeeded(errs []error) (n int) {
	for _, err := range errs {
		if err == nil {
			n++
		}
	}
	return n
}

func TestRaces(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		for round := range 5 {
			other := c.with(fmt.Sprintf("other%d", round), contract.Owner)
			mine, theirs := c.member(c.owner), c.member(other)
			errs := together(
				func() error { return second(c.s.SetRole(t.Context(), page, c.owner, theirs, contract.Viewer)) },
				func() error { return second(c.s.SetRole(t.Context(), page, other, mine, contract.Viewer)) },
				func() error { return second(c.s.Leave(t.Context(), page, other)) },
				func() error { return second(c.s.Remove(t.Context(), page, other, mine)) },
			)
			if c.owners() < 1 {
				t.Fatalf("round %d: no owner is left: %v", round, errs)
			}
			for _, err := range errs {
				if err != nil && !isRefusal(err) {
					t.Errorf("round %d: %v", round, err)
				}
			}
			exec(t, c.d, fmt.Sprintf("DELETE FROM members WHERE workspace_id = %d", c.owner.Workspace))
			exec(t, c.d, fmt.Sprintf("INSERT INTO members (workspace_id, account_id, role, created_at) SELECT %d, id, 'owner', created_at FROM accounts WHERE id = %d", c.owner.Workspace, c.owner.Account))
		}
	})
}

func isRefusal(err error) bool {
	r, ok := errors.AsType[*fault.Refusal](err)
	return ok && r.Code != fault.CodeInternal
}

func TestOneLinkIsUsedOnce(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		token, err := c.s.Invite(t.Context(), page, c.owner, contract.Member)
		if err != nil {
			t.Fatal(err)
		}
		var all []func() error
		for i := range 6 {
			who := c.outsider(fmt.Sprintf("friend%d", i))
			all = append(all, func() error { return second(c.s.Join(t.Context(), page, who.Account, token)) })
		}
		errs := together(all...)
		if succeeded(errs) != 1 {
			t.Errorf("%d joined by one link: %v", succeeded(errs), errs)
		}
		if n := one[int](t, c.d, "SELECT count(*) FROM members WHERE workspace_id = $1", c.owner.Workspace); n != 2 {
			t.Errorf("got %d members, want 2", n)
		}
		for _, err := range errs {
			if err != nil {
				wantDead(t, err)
			}
		}
	})
}

func TestWorkspaceGoesWhileSomebodyJoins(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		if _, err := c.s.NewWorkspace(t.Context(), page, c.owner, "Second", "UTC"); err != nil {
			t.Fatal(err)
		}
		token, err := c.s.Invite(t.Context(), page, c.owner, contract.Member)
		if err != nil {
			t.Fatal(err)
		}
		friend := c.outsider("friend")
		errs := together(
			func() error { return second(c.s.Join(t.Context(), page, friend.Account, token)) },
			func() error { return second(c.s.DeleteWorkspace(t.Context(), page, c.owner, "Garage")) },
		)
		if errs[1] != nil {
			t.Errorf("delete: %v", errs[1])
		}
		if errs[0] != nil {
			wantDead(t, errs[0])
		}
		if n := one[int](t, c.d, "SELECT count(*) FROM workspaces WHERE name = 'Garage'"); n != 0 {
			t.Error("the workspace is still there")
		}
	})
}

func TestDeleteWorkspace(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		wantSentence(t, second(c.s.DeleteWorkspace(t.Context(), page, c.owner, "garage")), fault.CodeBadArguments, "Type the name of the workspace as it stands above: Garage")
		wantSentence(t, second(c.s.DeleteWorkspace(t.Context(), page, c.owner, "Garage")), fault.CodeRefused, "Garage is your only workspace. Make another workspace first, or delete your account.")
		made, err := c.s.NewWorkspace(t.Context(), page, c.owner, "Second", "Asia/Tokyo")
		if err != nil {
			t.Fatal(err)
		}
		next, err := c.s.DeleteWorkspace(t.Context(), page, c.owner, " Garage ")
		if err != nil || next != made {
			t.Errorf("got %d, %v, want %d", next, err, made)
		}
		if c.events("workspace.deleted") != 1 || c.events("workspace.created") != 1 {
			t.Error("the record misses an event")
		}
	})
}

func TestWhoeverWasRemovedGetsAWorkspace(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		friend := c.with("friend", contract.Member)
		exec(t, c.d, fmt.Sprintf("DELETE FROM members WHERE account_id = %d AND workspace_id <> %d", friend.Account, friend.Workspace))
		if _, err := c.s.Remove(t.Context(), page, c.owner, c.member(friend)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.s.Identity(t.Context(), friend.Account, friend.Workspace, 0); refused(t, err).Code != fault.CodeUnauthenticated {
			t.Errorf("got %v, want no identity without a workspace", err)
		}
		started, err := c.s.SignIn(t.Context(), page, friend.Email, password)
		if err != nil || started.Workspace == friend.Workspace || started.Workspace == 0 {
			t.Errorf("got %+v, %v", started, err)
		}
	})
}

func TestInvitationsEnd(t *testing.T) {
	t.Parallel()
	eachCrew(t, func(t *testing.T, c crew) {
		if _, err := c.s.Invite(t.Context(), page, c.owner, contract.Viewer); err != nil {
			t.Fatal(err)
		}
		list, err := c.s.Invites(t.Context(), c.owner.Workspace)
		if err != nil || len(list) != 1 || list[0].Expires.Sub(list[0].Made) != 7*24*time.Hour {
			t.Errorf("got %+v, %v", list, err)
		}
		exec(t, c.d, "UPDATE invites SET expires_at = created_at")
		if n, err := c.s.DropInvites(t.Context()); n != 1 || err != nil {
			t.Errorf("dropped %d, %v", n, err)
		}
	})
}

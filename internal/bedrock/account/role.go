package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tectonic/internal/bedrock/account/store"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
)

// Roles are those that a member can have, from the least to the most.
var Roles = []contract.Role{contract.Viewer, contract.Member, contract.Admin, contract.Owner}

// Manages reports whether the role may invite, change and remove people who
// have, or would get, the other role. An owner may with everybody, an admin
// with everybody but owners.
func Manages(role, other contract.Role) bool {
	switch role {
	case contract.Owner:
		return slices.Contains(Roles, other)
	case contract.Admin:
		return slices.Contains(Roles, other) && other != contract.Owner
	}
	return false
}

func knownRole(role contract.Role) error {
	if !slices.Contains(Roles, role) {
		return fault.BadArgument("Role %q is not one of viewer, member, admin or owner.", fault.Clip(string(role))).At("role")
	}
	return nil
}

// less reports whether a role may do less than another.
func less(a, b contract.Role) bool { return slices.Index(Roles, a) < slices.Index(Roles, b) }

// acting is the caller as the member that it is while a change runs.
type acting struct {
	door Door
	who  contract.Caller
	id   int64 // of the member
	role contract.Role
	q    *store.Queries
}

// actingIn reads what the caller is in its workspace now: the request may be
// older than a change of that.
func actingIn(ctx context.Context, tx *db.Tx, door Door, who contract.Caller) (acting, error) {
	q := store.New(tx)
	m, err := q.MemberByAccount(ctx, who.Workspace, who.Account)
	if errors.Is(err, sql.ErrNoRows) {
		return acting{}, fault.Deny("role_missing", "You are not a member of this workspace any more.")
	}
	if err != nil {
		return acting{}, fmt.Errorf("read the role of account %d in workspace %d: %w", who.Account, who.Workspace, err)
	}
	return acting{door, who, m.ID, contract.Role(m.Role), q}, nil
}

// must denies what the caller's role does not allow over the other role.
func (a acting) must(other contract.Role) error {
	if Manages(a.role, other) {
		return nil
	}
	if a.role == contract.Admin {
		return fault.Deny("role_missing", "Only an owner of %s can invite, change or remove an owner.", a.who.WorkspaceName)
	}
	return fault.Deny("role_missing", "Only an owner or admin of %s can do that.", a.who.WorkspaceName)
}

// event records what the caller did in its workspace.
func (a acting) event(ctx context.Context, tx *db.Tx, name string, refs ...string) error {
	return event(ctx, tx, a.door, name, a.who.Account, a.who.Workspace, refs...)
}

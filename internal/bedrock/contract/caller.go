package contract

import (
	"slices"
	"strings"
	"time"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
)

// Transport names the door through which a call came.
type Transport string

// The doors, as they are written in the record.
const (
	OverMCPHTTP  Transport = "mcp_http"
	OverMCPStdio Transport = "mcp_stdio"
	OverCLI      Transport = "cli"
	OverAPI      Transport = "api"
	OverWeb      Transport = "web"
	OverJob      Transport = "job"
	OverInternal Transport = "internal"
)

// Role is what a member may do in a workspace.
type Role string

// The roles, from the least to the most.
const (
	Viewer Role = "viewer" // reads
	Member Role = "member" // reads and writes
	Admin  Role = "admin"  // everything
	Owner  Role = "owner"  // everything
)

// Scopes returns what the role allows at most, in the words of a grant.
func (r Role) Scopes() []string {
	switch r {
	case Viewer:
		return []string{"read"}
	case Member, Admin, Owner:
		return []string{"read", "write"}
	}
	return nil
}

// Caller is who a call acts for, worked out before the call from a session, a
// grant or the local machine. Handlers take the workspace from here and from
// nowhere else.
type Caller struct {
	Account       id.AccountID
	Email         string
	Workspace     id.WorkspaceID
	WorkspaceName string
	Role          Role
	Scopes        []string // granted, already narrowed to the role
	Client        id.ClientID
	ClientName    string // "" for a person
	Grant         id.GrantID
	Transport     Transport
	Correlator    string         // the request id that logs and the record share
	Address       string         // of the client on the network, for limits; "" on this machine; never stored
	Zone          *time.Location // the workspace's; decides what "today" is

	unrestricted bool
}

// LocalOperator returns the caller of the command line and of MCP over stdio:
// whoever can run the binary on the data may do everything. It is the only
// unrestricted constructor, so that a search for its name finds every use.
func LocalOperator(c Caller, over Transport) Caller {
	c.Transport = over
	c.Role = Owner
	c.Scopes = Owner.Scopes()
	c.unrestricted = true
	return c
}

// Has reports whether the caller holds the scope. The empty scope is held by
// nobody, so that a tool without one fails closed.
func (c Caller) Has(scope string) bool {
	if scope == "" {
		return false
	}
	return c.unrestricted || slices.Contains(c.Scopes, scope)
}

// Today returns the calendar day of now in the workspace's time zone.
func (c Caller) Today(now time.Time) dbtype.Date {
	zone := c.Zone
	if zone == nil {
		zone = time.UTC
	}
	return dbtype.Date(now.In(zone).Format(time.DateOnly))
}

// BearerToken returns the token of an Authorization header (RFC 6750), and
// false when it is another scheme or has more than one word behind it.
func BearerToken(header string) (string, bool) {
	fields := strings.Fields(header)
	if len(fields) != 2 || !strings.EqualFold(fields[0], "Bearer") {
		return "", false
	}
	return fields[1], true
}

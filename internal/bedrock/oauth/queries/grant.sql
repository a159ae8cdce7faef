-- name: InsertGrant :one
INSERT INTO grants (workspace_id, account_id, client_id, scopes, plates, rules, redirect_uri,
                    code_hash, code_challenge, code_expires_at, seed, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
RETURNING id;

-- name: Standing :one
-- A grant with everything that a call is made from. The role is NULL when the
-- account is no member any more. The row decides its own workspace.
SELECT g.*, c.uid AS client_uid, c.kind AS client_kind, c.name AS client_name,
       a.email, w.name AS workspace_name, w.time_zone, m.role
FROM grants AS g
JOIN clients AS c ON c.id = g.client_id
JOIN accounts AS a ON a.id = g.account_id
JOIN workspaces AS w ON w.id = g.workspace_id
LEFT JOIN members AS m ON m.workspace_id = g.workspace_id AND m.account_id = g.account_id
WHERE g.id = $1;

-- name: GrantByCode :one
SELECT id FROM grants WHERE code_hash = $1;

-- name: GrantOfClient :one
-- The one grant of a client that acts by its own credentials.
SELECT id FROM grants WHERE client_id = $1 ORDER BY id DESC LIMIT 1;

-- name: UseCode :execrows
UPDATE grants SET code_used_at = sqlc.arg(used_at), generation = 1, rotated_at = sqlc.arg(used_at)
WHERE workspace_id = $1 AND id = $2 AND code_used_at IS NULL AND revoked_at IS NULL;

-- name: RotateGrant :execrows
-- Compare and swap: of many refreshes with one token a single one gets a row.
UPDATE grants SET generation = generation + 1, rotated_at = $1
WHERE workspace_id = $2 AND id = $3 AND generation = $4 AND revoked_at IS NULL;

-- name: UseGrant :exec
-- Several nodes write down what they saw, and the latest stays.
UPDATE grants SET last_used_at = sqlc.arg(used_at)
WHERE workspace_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < sqlc.arg(used_at));

-- name: RevokeGrant :execrows
UPDATE grants SET revoked_at = $1, revoke_reason = $2
WHERE workspace_id = $3 AND id = $4 AND revoked_at IS NULL;

-- name: GrantsOfAccount :many
-- What the account allows in the workspace now, the newest first.
SELECT g.id, g.scopes, g.plates, g.redirect_uri, g.created_at, g.expires_at, g.rotated_at, g.last_used_at,
       c.uid AS client_uid, c.kind AS client_kind, c.name AS client_name
FROM grants AS g
JOIN clients AS c ON c.id = g.client_id
WHERE g.workspace_id = $1 AND g.account_id = $2 AND g.revoked_at IS NULL AND c.kind <> 'token'
  AND (g.code_used_at IS NOT NULL OR g.code_hash IS NULL)
  AND (g.expires_at IS NULL OR g.expires_at > CAST(sqlc.arg(now) AS TIMESTAMPTZ))
ORDER BY g.id DESC;

-- name: DeleteGrantsBefore :execrows
-- Housekeeping over all workspaces: consents whose code nobody exchanged, and
-- grants that ended long ago.
DELETE FROM grants
WHERE (code_used_at IS NULL AND code_expires_at < CAST(sqlc.arg(code_before) AS TIMESTAMPTZ))
   OR revoked_at < CAST(sqlc.arg(ended_before) AS TIMESTAMPTZ)
   OR expires_at < CAST(sqlc.arg(ended_before) AS TIMESTAMPTZ);

-- name: RoleOf :one
-- What the account is in the workspace; no row when it is no member.
SELECT role FROM members WHERE workspace_id = $1 AND account_id = $2;

-- name: RevokeGrantsOf :many
-- Everything that an account allows in a workspace ends.
UPDATE grants SET revoked_at = $1, revoke_reason = $2
WHERE workspace_id = $3 AND account_id = $4 AND revoked_at IS NULL
RETURNING id, client_id;

-- name: GrantsOfWorkspace :many
-- What everybody allows in a workspace, ended grants among it, without secrets.
SELECT g.id, g.account_id, g.scopes, g.plates, g.created_at, g.expires_at, g.revoked_at, g.revoke_reason, g.last_used_at,
       c.name AS client_name, c.kind AS client_kind
FROM grants AS g
JOIN clients AS c ON c.id = g.client_id
WHERE g.workspace_id = $1
ORDER BY g.id;

-- name: CountTokensOf :one
-- The personal tokens that an account holds, in every workspace.
SELECT CAST(count(*) AS BIGINT) FROM grants AS g
JOIN clients AS c ON c.id = g.client_id
WHERE g.account_id = $1 AND c.kind = 'token' AND g.revoked_at IS NULL
  AND (g.expires_at IS NULL OR g.expires_at > CAST(sqlc.arg(now) AS TIMESTAMPTZ));

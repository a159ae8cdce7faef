-- name: InsertToken :exec
INSERT INTO tokens (grant_id, workspace_id, token_hash, hint, in_address, created_at)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: StandingByToken :one
-- The grant of a personal token, with the columns of Standing. It is one
-- statement, since every call with such a token waits for it.
SELECT g.*, c.uid AS client_uid, c.kind AS client_kind, c.name AS client_name,
       a.email, w.name AS workspace_name, w.time_zone, m.role
FROM tokens AS t
JOIN grants AS g ON g.id = t.grant_id
JOIN clients AS c ON c.id = g.client_id
JOIN accounts AS a ON a.id = g.account_id
JOIN workspaces AS w ON w.id = g.workspace_id
LEFT JOIN members AS m ON m.workspace_id = g.workspace_id AND m.account_id = g.account_id
WHERE t.token_hash = $1;

-- name: TokenInAddress :one
SELECT in_address FROM tokens WHERE token_hash = $1;

-- name: ReplaceToken :execrows
-- A rotation: the old secret dies, name and rights stay. Only the account that
-- made the token may.
UPDATE tokens SET token_hash = $1, hint = $2, created_at = $3
WHERE tokens.workspace_id = $4 AND tokens.grant_id = $5 AND EXISTS (
  SELECT 1 FROM grants AS g WHERE g.id = tokens.grant_id AND g.account_id = $6 AND g.revoked_at IS NULL);

-- name: TokensOfAccount :many
SELECT t.grant_id, t.hint, t.in_address, t.created_at AS secret_created_at, g.scopes, g.plates, g.rules,
       g.created_at, g.expires_at, g.last_used_at, c.name
FROM tokens AS t
JOIN grants AS g ON g.id = t.grant_id
JOIN clients AS c ON c.id = g.client_id
WHERE g.workspace_id = $1 AND g.account_id = $2 AND g.revoked_at IS NULL
ORDER BY t.grant_id DESC;

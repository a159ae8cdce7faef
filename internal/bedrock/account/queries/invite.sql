-- name: InsertInvite :one
INSERT INTO invites (workspace_id, account_id, token_hash, role, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING id;

-- name: PendingInvites :many
-- The links of a workspace that still work, the newest first.
SELECT i.id, i.account_id, a.email AS by_email, i.role, i.created_at, i.expires_at
FROM invites AS i
JOIN accounts AS a ON a.id = i.account_id
WHERE i.workspace_id = $1 AND i.used_at IS NULL AND i.expires_at > CAST(sqlc.arg(now) AS TIMESTAMPTZ)
ORDER BY i.created_at DESC, i.id DESC;

-- name: CountPendingInvites :one
SELECT CAST(count(*) AS BIGINT) FROM invites
WHERE workspace_id = $1 AND used_at IS NULL AND expires_at > CAST(sqlc.arg(now) AS TIMESTAMPTZ);

-- name: InviteByHash :one
-- An invitation with where it leads, and what the one who invites is there
-- now. The token decides the workspace.
SELECT i.id, i.workspace_id, i.role, i.expires_at, i.used_at, i.used_by_account_id,
       w.name AS workspace_name, a.email AS by_email, m.role AS by_role
FROM invites AS i
JOIN workspaces AS w ON w.id = i.workspace_id
JOIN accounts AS a ON a.id = i.account_id
LEFT JOIN members AS m ON m.workspace_id = i.workspace_id AND m.account_id = i.account_id
WHERE i.token_hash = $1;

-- name: UseInvite :execrows
-- Compare and swap: of many who press the button at once one gets a row.
UPDATE invites SET used_at = sqlc.arg(used_at), used_by_account_id = sqlc.arg(used_by)
WHERE workspace_id = sqlc.arg(workspace_id) AND id = sqlc.arg(id) AND used_at IS NULL;

-- name: DeleteInvite :execrows
DELETE FROM invites WHERE workspace_id = $1 AND id = $2 AND used_at IS NULL;

-- name: DeleteInvitesBy :execrows
-- The links that somebody made who may not invite any more.
DELETE FROM invites WHERE workspace_id = $1 AND account_id = $2 AND used_at IS NULL;

-- name: DeleteInvitesBefore :execrows
-- Housekeeping over all workspaces.
DELETE FROM invites WHERE expires_at < CAST(sqlc.arg(before) AS TIMESTAMPTZ);

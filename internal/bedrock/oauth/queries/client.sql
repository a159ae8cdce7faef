-- name: InsertClient :one
INSERT INTO clients (uid, kind, name, auth_method, secret_hash, metadata, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING *;

-- name: UpsertClient :one
-- Keeps what a metadata document says at the moment of a consent.
INSERT INTO clients (uid, kind, name, auth_method, metadata, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (uid) DO UPDATE SET name = excluded.name, metadata = excluded.metadata
RETURNING *;

-- name: ClientByUID :one
SELECT * FROM clients WHERE uid = $1;

-- name: TouchClient :exec
UPDATE clients SET last_used_at = $1 WHERE id = $2;

-- name: UnusedClients :many
-- Registrations that nothing hangs on: never used and older than one limit, or
-- last used before the other. Clients that an operator made are never among them.
SELECT c.id FROM clients AS c
WHERE c.kind IN ('dcr', 'cimd', 'token')
  AND ((c.last_used_at IS NULL AND c.created_at < CAST(sqlc.arg(never_used_before) AS TIMESTAMPTZ))
    OR c.last_used_at < CAST(sqlc.arg(used_before) AS TIMESTAMPTZ))
  AND NOT EXISTS (SELECT 1 FROM grants AS g WHERE g.client_id = c.id)
  AND NOT EXISTS (SELECT 1 FROM record_rows AS r WHERE r.client_id = c.id AND r.phase <> 'event')
ORDER BY c.id LIMIT 500;

-- name: DeleteClient :execrows
-- Looks again, since a consent may have come in between.
DELETE FROM clients WHERE clients.id = $1 AND NOT EXISTS (SELECT 1 FROM grants AS g WHERE g.client_id = clients.id);

-- name: HideClientsOf :many
-- Clients that an account made for itself lose their name and their secret:
-- those that act by themselves for it, and those of its personal tokens, also
-- of ended ones.
UPDATE clients SET name = $1, secret_hash = NULL, metadata = NULL
WHERE clients.kind IN ('token', 'cc') AND clients.id IN (
  SELECT g.client_id FROM grants AS g WHERE g.account_id = sqlc.arg(account_id)
  UNION ALL
  SELECT r.client_id FROM record_rows AS r
  WHERE r.account_id = sqlc.arg(account_id) AND r.event = 'token.created' AND r.client_id IS NOT NULL)
RETURNING id;

-- name: DeleteClientAndGrants :execrows
DELETE FROM clients WHERE clients.id = $1;

-- name: ClaimKey :one
-- The first statement of a write. No row means that the id is taken.
INSERT INTO request_keys (workspace_id, account_id, plate, tool, request_id, input_sha256, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (workspace_id, account_id, plate, tool, request_id) DO NOTHING
RETURNING request_id;

-- name: Key :one
SELECT input_sha256, answer, created_at FROM request_keys
WHERE workspace_id = $1 AND account_id = $2 AND plate = $3 AND tool = $4 AND request_id = $5;

-- name: StoreAnswer :exec
UPDATE request_keys SET answer = $1
WHERE workspace_id = $2 AND account_id = $3 AND plate = $4 AND tool = $5 AND request_id = $6;

-- name: DeleteKeysBefore :execrows
-- Housekeeping over all workspaces.
DELETE FROM request_keys WHERE created_at < CAST(sqlc.arg(before) AS TIMESTAMPTZ);

-- name: DeleteKeysOf :execrows
-- An account that is deleted takes its stored answers along, in every workspace.
DELETE FROM request_keys WHERE account_id = $1;

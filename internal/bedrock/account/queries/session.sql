-- name: SessionData :one
SELECT data FROM sessions WHERE token_hash = $1 AND expires_at > CAST(sqlc.arg(now_s) AS BIGINT);

-- name: UpsertSession :exec
INSERT INTO sessions (token_hash, data, expires_at, account_id)
VALUES ($1, $2, $3, $4)
ON CONFLICT (token_hash) DO UPDATE SET data = excluded.data, expires_at = excluded.expires_at, account_id = excluded.account_id;

-- name: DeleteSession :exec
DELETE FROM sessions WHERE token_hash = $1;

-- name: DeleteExpiredSessions :execrows
DELETE FROM sessions WHERE expires_at <= CAST(sqlc.arg(now_s) AS BIGINT);

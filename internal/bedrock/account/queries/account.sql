-- name: InsertAccount :one
INSERT INTO accounts (email, email_key, password_hash, is_instance_admin, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (email_key) DO NOTHING
RETURNING *;

-- name: AccountByEmailKey :one
SELECT * FROM accounts WHERE email_key = $1;

-- name: Account :one
SELECT * FROM accounts WHERE id = $1;

-- name: CountAccounts :one
SELECT CAST(count(*) AS BIGINT) FROM accounts;

-- name: SetPassword :one
-- The raised epoch signs out every session that was made under the old one.
UPDATE accounts SET password_hash = $1, session_epoch = session_epoch + 1
WHERE id = $2 AND session_epoch = $3
RETURNING session_epoch;

-- name: RehashPassword :exec
-- Stores the same password under other costs, so nobody is signed out.
UPDATE accounts SET password_hash = $1 WHERE id = $2;

-- name: SetTheme :exec
UPDATE accounts SET theme = $1 WHERE id = $2;

-- name: DeleteAccount :execrows
-- Its sessions, memberships, grants, tokens and invitations go with it.
DELETE FROM accounts WHERE id = $1;

-- name: Members :many
-- The people of a workspace in the order in which they joined it.
SELECT m.id, m.account_id, a.email, m.role, m.created_at
FROM members AS m
JOIN accounts AS a ON a.id = m.account_id
WHERE m.workspace_id = $1
ORDER BY m.created_at, m.id;

-- name: MemberByID :one
SELECT m.id, m.account_id, a.email, m.role, m.created_at
FROM members AS m
JOIN accounts AS a ON a.id = m.account_id
WHERE m.workspace_id = $1 AND m.id = $2;

-- name: MemberByAccount :one
SELECT id, role FROM members WHERE workspace_id = $1 AND account_id = $2;

-- name: CountOwners :one
SELECT CAST(count(*) AS BIGINT) FROM members WHERE workspace_id = $1 AND role = 'owner';

-- name: CountMembers :one
SELECT CAST(count(*) AS BIGINT) FROM members WHERE workspace_id = $1;

-- name: SetRole :execrows
UPDATE members SET role = $1 WHERE workspace_id = $2 AND id = $3;

-- name: DeleteMember :execrows
DELETE FROM members WHERE workspace_id = $1 AND id = $2;

-- name: DeleteWorkspace :execrows
-- Everything that plates store in it goes with it.
DELETE FROM workspaces WHERE id = $1;

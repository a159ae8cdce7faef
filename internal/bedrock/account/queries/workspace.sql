-- name: InsertWorkspace :one
INSERT INTO workspaces (uid, name, time_zone, created_at)
VALUES ($1, $2, $3, $4)
RETURNING *;

-- name: Workspace :one
SELECT * FROM workspaces WHERE id = $1;

-- name: UpdateWorkspace :one
UPDATE workspaces SET name = $1, time_zone = $2 WHERE id = $3 RETURNING *;

-- name: InsertMember :one
INSERT INTO members (workspace_id, account_id, role, created_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id, account_id) DO NOTHING
RETURNING *;

-- name: Memberships :many
-- The workspaces of an account, in the order in which it joined them.
SELECT w.id, w.uid, w.name, w.time_zone, m.id AS member_id, m.role
FROM workspaces AS w
JOIN members AS m ON m.workspace_id = w.id
WHERE m.account_id = $1
ORDER BY m.created_at, m.id;

-- name: Identity :one
-- Who an account is in one workspace; no row when it is not a member.
SELECT a.id AS account_id, a.email, a.session_epoch, a.is_instance_admin, a.theme,
       w.id AS workspace_id, w.uid AS workspace_uid, w.name AS workspace_name, w.time_zone,
       m.id AS member_id, m.role
FROM accounts AS a
JOIN members AS m ON m.account_id = a.id
JOIN workspaces AS w ON w.id = m.workspace_id
WHERE a.id = $1 AND m.workspace_id = $2;

-- name: WorkspacesWithOwner :many
-- Every workspace with its first owner, for the operator of this machine.
SELECT w.id, w.uid, w.name, w.time_zone, a.id AS owner_id, a.email AS owner_email
FROM workspaces AS w
JOIN members AS m ON m.workspace_id = w.id
JOIN accounts AS a ON a.id = m.account_id
WHERE m.id = (SELECT min(o.id) FROM members AS o WHERE o.workspace_id = w.id AND o.role = 'owner')
ORDER BY w.id;

-- name: WorkspacesOf :many
-- The ids of an account's workspaces, in one order for all who lock them.
SELECT workspace_id FROM members WHERE account_id = $1 ORDER BY workspace_id;

-- name: FirstMembership :one
-- Where an account works when it does not say where.
SELECT workspace_id FROM members WHERE account_id = $1 ORDER BY created_at, id LIMIT 1;

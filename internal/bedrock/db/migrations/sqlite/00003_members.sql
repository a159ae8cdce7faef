-- Invitations into a workspace, and whose a browser session is, so that what
-- belongs to a person ends with the account.

-- +goose Up

-- Links that let somebody join a workspace. The link is shown once; it works
-- once, until it ends or its row is deleted.
CREATE TABLE invites (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    account_id   INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE, -- who invites
    token_hash   TEXT NOT NULL UNIQUE, -- hex SHA-256 of the token; the token itself is not stored
    role         TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')), -- what whoever joins will be
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    used_at      INTEGER,              -- NULL while nobody joined by it
    used_by_account_id INTEGER REFERENCES accounts ON DELETE SET NULL,
    UNIQUE (workspace_id, id)
) STRICT;
CREATE INDEX invites_account ON invites (account_id);
CREATE INDEX invites_used_by ON invites (used_by_account_id);

ALTER TABLE sessions ADD COLUMN account_id INTEGER REFERENCES accounts ON DELETE CASCADE; -- NULL while nobody has signed in
CREATE INDEX sessions_account ON sessions (account_id);

-- The bin: what was deleted, for thirty days. A deleted row leaves its own
-- table, so that no list and no sum can count it, and stands here as it was.
-- Units: *_at is microseconds since 1970 UTC.

-- +goose Up

CREATE TABLE training_bin (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id          INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    kind                  TEXT NOT NULL CHECK (kind IN ('workout', 'set')),
    object_id             INTEGER NOT NULL, -- the id that it had, and gets again
    workout_id            INTEGER NOT NULL,
    date                  TEXT NOT NULL, -- of the workout
    title                 TEXT NOT NULL CHECK (length(title) <= 400),
    contents              TEXT NOT NULL, -- the rows as JSON
    deleted_at            INTEGER NOT NULL,
    deleted_by_client_id  INTEGER REFERENCES clients,
    deleted_by_account_id INTEGER REFERENCES accounts ON DELETE SET NULL,
    UNIQUE (workspace_id, id)
) STRICT;
CREATE INDEX training_bin_deleted ON training_bin (workspace_id, deleted_at DESC, id DESC);
CREATE INDEX training_bin_age ON training_bin (deleted_at);

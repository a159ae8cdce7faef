-- Goals: what is aimed at on a lift. Never about body weight.
-- Units: target_weight is whole pounds; days are YYYY-MM-DD; *_at is
-- microseconds since 1970 UTC.

-- +goose Up

-- Kept for ever: a new goal supersedes the one before.
CREATE TABLE training_goals (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id          INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    exercise_id           INTEGER NOT NULL REFERENCES training_exercises,
    program_id            INTEGER, -- NULL = for the lift as such
    target_weight         INTEGER NOT NULL CHECK (target_weight BETWEEN 1 AND 2000),
    target_reps           INTEGER NOT NULL DEFAULT 1 CHECK (target_reps BETWEEN 1 AND 100),
    target_date           TEXT,
    note                  TEXT CHECK (length(note) <= 500),
    superseded_at         INTEGER, -- NULL = the active goal
    created_by_client_id  INTEGER REFERENCES clients,
    created_by_account_id INTEGER REFERENCES accounts ON DELETE SET NULL,
    created_at            INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    FOREIGN KEY (workspace_id, program_id) REFERENCES training_programs (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX training_goals_active ON training_goals (workspace_id, exercise_id, COALESCE(program_id, 0)) WHERE superseded_at IS NULL;
CREATE INDEX training_goals_program ON training_goals (workspace_id, program_id) WHERE program_id IS NOT NULL;
CREATE INDEX training_goals_exercise ON training_goals (exercise_id);

-- History: training that was brought in from other apps, and what an import of
-- readings took the place of. The columns beside set_id and workout_id are as
-- the file brought them: a row that differs now was changed by hand since.
-- Units: weight is whole pounds; value_milli is thousandths of the reading's
-- unit; *_at is microseconds since
-- 1970 UTC.

-- +goose Up

-- Files of training. One that is not finished was cut off, or is under way;
-- reading the file again goes on with it.
CREATE TABLE training_history_imports (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id          INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    format                TEXT NOT NULL CHECK (format IN ('strong', 'hevy', 'fitnotes', 'csv')),
    file_name             TEXT NOT NULL CHECK (length(file_name) <= 255),
    file_sha256           TEXT NOT NULL CHECK (length(file_sha256) <= 64), -- the file itself is not kept
    unit                  TEXT NOT NULL CHECK (unit IN ('kg', 'lb')), -- of weights, where the file does not say
    names                 TEXT NOT NULL DEFAULT '{}', -- JSON: the file's name of a movement to ours, '' where it is left out
    workouts              INTEGER NOT NULL DEFAULT 0, -- made by this import
    added                 INTEGER NOT NULL DEFAULT 0, -- sets, as are the next three
    already_there         INTEGER NOT NULL DEFAULT 0,
    left_out              INTEGER NOT NULL DEFAULT 0,
    rejected              INTEGER NOT NULL DEFAULT 0,
    done_percent          INTEGER NOT NULL DEFAULT 0, -- of the file
    problem               TEXT CHECK (length(problem) <= 500), -- why it was cut off, where that is known
    touched_at            INTEGER NOT NULL, -- of the newest batch
    finished_at           INTEGER,
    undone_at             INTEGER, -- what was changed by hand stayed
    created_by_client_id  INTEGER REFERENCES clients,
    created_by_account_id INTEGER REFERENCES accounts ON DELETE SET NULL,
    created_at            INTEGER NOT NULL,
    UNIQUE (workspace_id, id)
) STRICT;

-- Workouts of a file, by what names them in it.
CREATE TABLE training_history_workouts (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    import_id    INTEGER NOT NULL,
    workout_id   INTEGER NOT NULL,
    source_key   TEXT NOT NULL CHECK (length(source_key) = 32),
    date         TEXT NOT NULL,
    notes        TEXT,
    UNIQUE (workspace_id, source_key),
    FOREIGN KEY (workspace_id, import_id) REFERENCES training_history_imports (workspace_id, id),
    FOREIGN KEY (workspace_id, workout_id) REFERENCES training_workouts (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX training_history_workouts_import ON training_history_workouts (workspace_id, import_id);
CREATE INDEX training_history_workouts_workout ON training_history_workouts (workspace_id, workout_id);

-- Sets of a file. The key makes reading a file again add nothing.
CREATE TABLE training_history_sets (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id     INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    import_id        INTEGER NOT NULL,
    set_id           INTEGER NOT NULL,
    source_key       TEXT NOT NULL CHECK (length(source_key) = 32),
    exercise_id      INTEGER NOT NULL REFERENCES training_exercises,
    weight           INTEGER,
    reps             INTEGER,
    duration_seconds INTEGER,
    is_warmup        INTEGER NOT NULL CHECK (is_warmup IN (0, 1)),
    rpe              INTEGER,
    note             TEXT,
    UNIQUE (workspace_id, source_key),
    FOREIGN KEY (workspace_id, import_id) REFERENCES training_history_imports (workspace_id, id),
    FOREIGN KEY (workspace_id, set_id) REFERENCES training_sets (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX training_history_sets_import ON training_history_sets (workspace_id, import_id);
CREATE INDEX training_history_sets_set ON training_history_sets (workspace_id, set_id);
CREATE INDEX training_history_sets_exercise ON training_history_sets (exercise_id);

-- Values of readings that an import replaced; undoing it puts them back.
CREATE TABLE training_health_replaced (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id       INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    import_id          INTEGER NOT NULL, -- that replaced the value
    previous_import_id INTEGER NOT NULL, -- that had brought it
    reading_id         INTEGER NOT NULL,
    value_text         TEXT NOT NULL,
    value_milli        INTEGER NOT NULL,
    UNIQUE (import_id, reading_id),
    FOREIGN KEY (workspace_id, import_id) REFERENCES training_imports (workspace_id, id),
    FOREIGN KEY (workspace_id, previous_import_id) REFERENCES training_imports (workspace_id, id),
    FOREIGN KEY (workspace_id, reading_id) REFERENCES training_health_readings (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX training_health_replaced_import ON training_health_replaced (workspace_id, import_id);
CREATE INDEX training_health_replaced_previous ON training_health_replaced (workspace_id, previous_import_id);
CREATE INDEX training_health_replaced_reading ON training_health_replaced (workspace_id, reading_id);

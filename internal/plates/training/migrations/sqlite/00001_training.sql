-- Training: a lifter's log and the blocks it is written from.
-- Units: *weight*, top_weight, step_* are whole pounds on the bar, both sides
-- and the bar counted; duration_seconds is seconds; denominations are
-- hundredths of a pound; days are YYYY-MM-DD in the workspace's zone; *_at is
-- microseconds since 1970 UTC.

-- +goose Up

-- What a workspace chose; no row means the defaults.
CREATE TABLE training_settings (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
    bar_weight   INTEGER NOT NULL DEFAULT 45 CHECK (bar_weight BETWEEN 1 AND 200),
    display_unit TEXT NOT NULL DEFAULT 'lb' CHECK (display_unit IN ('lb', 'kg')),
    created_at   INTEGER NOT NULL
) STRICT;

-- The plates that are owned; no rows mean the standard rack.
CREATE TABLE training_plates (
    id                     INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id           INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    denomination_hundredths INTEGER NOT NULL CHECK (denomination_hundredths BETWEEN 25 AND 20000),
    pairs                  INTEGER NOT NULL CHECK (pairs BETWEEN 1 AND 50),
    created_at             INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    UNIQUE (workspace_id, denomination_hundredths)
) STRICT;

-- Movements. Rows without a workspace are the library: seen by everyone,
-- changed by nobody.
CREATE TABLE training_exercises (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id          INTEGER REFERENCES workspaces ON DELETE CASCADE,
    name                  TEXT NOT NULL CHECK (name <> '' AND length(name) <= 120),
    name_key              TEXT NOT NULL, -- folded in Go; what is looked up and sorted by
    icon_url              TEXT CHECK (length(icon_url) <= 500),
    is_barbell            INTEGER NOT NULL DEFAULT 0 CHECK (is_barbell IN (0, 1)), -- shows plates and gets a warm-up ramp
    default_measure       TEXT NOT NULL DEFAULT 'reps' CHECK (default_measure IN ('reps', 'time')),
    default_is_per_side   INTEGER NOT NULL DEFAULT 0 CHECK (default_is_per_side IN (0, 1)),
    default_is_weighted   INTEGER NOT NULL DEFAULT 1 CHECK (default_is_weighted IN (0, 1)),
    created_by_client_id  INTEGER REFERENCES clients,  -- NULL = a person
    created_by_account_id INTEGER REFERENCES accounts ON DELETE SET NULL,
    created_at            INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX training_exercises_library ON training_exercises (name_key) WHERE workspace_id IS NULL;
CREATE UNIQUE INDEX training_exercises_own ON training_exercises (workspace_id, name_key) WHERE workspace_id IS NOT NULL;

-- Blocks: plans written ahead.
CREATE TABLE training_programs (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id          INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    name                  TEXT NOT NULL CHECK (name <> '' AND length(name) <= 120),
    name_key              TEXT NOT NULL,
    block                 INTEGER CHECK (block BETWEEN 0 AND 999),
    start_date            TEXT NOT NULL, -- first day of week 1
    notes                 TEXT CHECK (length(notes) <= 2000),
    preferred_reps        INTEGER CHECK (preferred_reps BETWEEN 1 AND 5),
    is_ascending          INTEGER NOT NULL DEFAULT 1 CHECK (is_ascending IN (0, 1)),
    created_by_client_id  INTEGER REFERENCES clients,
    created_by_account_id INTEGER REFERENCES accounts ON DELETE SET NULL,
    created_at            INTEGER NOT NULL,
    UNIQUE (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX training_programs_name ON training_programs (workspace_id, name_key, COALESCE(block, -1));
CREATE INDEX training_programs_start ON training_programs (workspace_id, start_date DESC, id DESC);

CREATE TABLE training_program_weeks (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    program_id   INTEGER NOT NULL,
    number       INTEGER NOT NULL CHECK (number BETWEEN 1 AND 52),
    is_deload    INTEGER NOT NULL DEFAULT 0 CHECK (is_deload IN (0, 1)),
    notes        TEXT CHECK (length(notes) <= 2000),
    created_at   INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    UNIQUE (program_id, number),
    FOREIGN KEY (workspace_id, program_id) REFERENCES training_programs (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX training_program_weeks_program ON training_program_weeks (workspace_id, program_id, number);

CREATE TABLE training_program_days (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id    INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    program_week_id INTEGER NOT NULL,
    weekday         INTEGER NOT NULL CHECK (weekday BETWEEN 0 AND 6), -- 0 = Sunday
    focus           TEXT CHECK (length(focus) <= 80),
    created_at      INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    FOREIGN KEY (workspace_id, program_week_id) REFERENCES training_program_weeks (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX training_program_days_week ON training_program_days (workspace_id, program_week_id, weekday, id);

-- One movement written into a day. A weighted lift has exactly one price:
-- pounds or a percentage of the estimated max.
CREATE TABLE training_program_lifts (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id     INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    program_day_id   INTEGER NOT NULL,
    exercise_id      INTEGER NOT NULL REFERENCES training_exercises ON DELETE RESTRICT,
    position         INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0), -- 0..n-1 without gaps
    sets             INTEGER NOT NULL CHECK (sets BETWEEN 1 AND 20),
    measure          TEXT NOT NULL DEFAULT 'reps' CHECK (measure IN ('reps', 'time')),
    reps             INTEGER CHECK (reps BETWEEN 1 AND 100),
    duration_seconds INTEGER CHECK (duration_seconds BETWEEN 1 AND 3600),
    is_weighted      INTEGER NOT NULL DEFAULT 1 CHECK (is_weighted IN (0, 1)),
    top_weight       INTEGER CHECK (top_weight BETWEEN 1 AND 2000), -- where the lift starts
    percent_of_max   INTEGER CHECK (percent_of_max BETWEEN 1 AND 200),
    progression      TEXT CHECK (progression IN ('fixed', 'linear', 'strikes', 'percent')),
    step_up          INTEGER CHECK (step_up BETWEEN 1 AND 100),   -- NULL = 5
    step_down        INTEGER CHECK (step_down BETWEEN 1 AND 100), -- NULL = 10, strikes 5
    starts_here      INTEGER NOT NULL DEFAULT 0 CHECK (starts_here IN (0, 1)), -- generate from top_weight and ignore earlier weeks
    is_per_side      INTEGER NOT NULL DEFAULT 0 CHECK (is_per_side IN (0, 1)),
    is_barbell       INTEGER NOT NULL DEFAULT 0 CHECK (is_barbell IN (0, 1)),
    is_main          INTEGER NOT NULL DEFAULT 0 CHECK (is_main IN (0, 1)),
    note             TEXT CHECK (length(note) <= 2000),
    created_at       INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    FOREIGN KEY (workspace_id, program_day_id) REFERENCES training_program_days (workspace_id, id) ON DELETE CASCADE,
    CHECK ((measure = 'reps' AND reps IS NOT NULL AND duration_seconds IS NULL)
        OR (measure = 'time' AND duration_seconds IS NOT NULL AND reps IS NULL)),
    CHECK ((is_weighted AND progression IS NOT NULL)
        OR (NOT is_weighted AND progression IS NULL AND top_weight IS NULL AND percent_of_max IS NULL)),
    CHECK (progression IS NULL
        OR (progression = 'percent' AND percent_of_max IS NOT NULL AND top_weight IS NULL)
        OR (progression <> 'percent' AND top_weight IS NOT NULL AND percent_of_max IS NULL))
) STRICT;
CREATE INDEX training_program_lifts_day ON training_program_lifts (workspace_id, program_day_id, position, id);
CREATE INDEX training_program_lifts_exercise ON training_program_lifts (exercise_id);

-- The sets of one date. One that was generated names its day, at most one each.
CREATE TABLE training_workouts (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id          INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    date                  TEXT NOT NULL,
    rpe                   INTEGER CHECK (rpe BETWEEN 1 AND 10), -- of the whole session
    notes                 TEXT CHECK (length(notes) <= 2000),
    program_day_id        INTEGER,
    revision              INTEGER NOT NULL DEFAULT 0, -- raised first by every writer of the workout's sets: the lock of both engines
    created_by_client_id  INTEGER REFERENCES clients,
    created_by_account_id INTEGER REFERENCES accounts ON DELETE SET NULL,
    created_at            INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    FOREIGN KEY (workspace_id, program_day_id) REFERENCES training_program_days (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX training_workouts_day ON training_workouts (program_day_id) WHERE program_day_id IS NOT NULL;
CREATE INDEX training_workouts_date ON training_workouts (workspace_id, date DESC, id DESC);

-- What was lifted, beside what was planned.
CREATE TABLE training_sets (
    id                       INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id             INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    workout_id               INTEGER NOT NULL,
    exercise_id              INTEGER NOT NULL REFERENCES training_exercises ON DELETE RESTRICT,
    program_lift_id          INTEGER, -- the prescription that wrote the set
    position                 INTEGER NOT NULL, -- order of lifting, from 1; negative only inside a reordering
    measure                  TEXT NOT NULL DEFAULT 'reps' CHECK (measure IN ('reps', 'time')),
    weight                   INTEGER CHECK (weight BETWEEN 1 AND 2000), -- NULL = no external load
    reps                     INTEGER CHECK (reps BETWEEN 1 AND 100),
    duration_seconds         INTEGER CHECK (duration_seconds BETWEEN 1 AND 3600),
    planned_weight           INTEGER,
    planned_reps             INTEGER,
    planned_duration_seconds INTEGER,
    is_per_side              INTEGER NOT NULL DEFAULT 0 CHECK (is_per_side IN (0, 1)),
    is_warmup                INTEGER NOT NULL DEFAULT 0 CHECK (is_warmup IN (0, 1)),
    is_completed             INTEGER NOT NULL DEFAULT 0 CHECK (is_completed IN (0, 1)),
    is_barbell               INTEGER NOT NULL DEFAULT 0 CHECK (is_barbell IN (0, 1)),
    rpe                      INTEGER CHECK (rpe BETWEEN 1 AND 10),
    note                     TEXT CHECK (length(note) <= 2000),
    plan_reason              TEXT CHECK (length(plan_reason) <= 200), -- on the first working set of a generated lift
    completed_at             INTEGER,
    created_by_client_id     INTEGER REFERENCES clients,
    created_by_account_id    INTEGER REFERENCES accounts ON DELETE SET NULL,
    created_at               INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    UNIQUE (workout_id, position),
    FOREIGN KEY (workspace_id, workout_id) REFERENCES training_workouts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, program_lift_id) REFERENCES training_program_lifts (workspace_id, id),
    CHECK ((measure = 'reps' AND reps IS NOT NULL AND duration_seconds IS NULL)
        OR (measure = 'time' AND duration_seconds IS NOT NULL AND reps IS NULL))
) STRICT;
CREATE INDEX training_sets_workout ON training_sets (workspace_id, workout_id, position);
CREATE INDEX training_sets_exercise ON training_sets (workspace_id, exercise_id, workout_id);
CREATE INDEX training_sets_lift ON training_sets (workspace_id, program_lift_id) WHERE program_lift_id IS NOT NULL;
CREATE INDEX training_sets_movement ON training_sets (exercise_id);

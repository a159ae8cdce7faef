-- Health: what scales and health apps measured. Never converted, never merged:
-- a reading keeps its source, its unit and the text it was written as.
-- Units: value_milli is thousandths of the unit; local_day is the calendar day
-- in the workspace's zone when it was imported; *_at is microseconds since
-- 1970 UTC.

-- +goose Up

CREATE TABLE training_health_sources (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    kind         TEXT NOT NULL CHECK (kind IN ('withings', 'garmin', 'apple_health', 'csv', 'json', 'manual')),
    name         TEXT NOT NULL CHECK (name <> '' AND length(name) <= 120),
    created_at   INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    UNIQUE (workspace_id, kind, name)
) STRICT;

-- What brought readings; removing one removes its readings.
CREATE TABLE training_imports (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id          INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    kind                  TEXT NOT NULL CHECK (kind IN ('withings', 'garmin', 'apple_health', 'csv', 'json', 'manual')),
    file_name             TEXT NOT NULL CHECK (length(file_name) <= 255),
    file_sha256           TEXT NOT NULL CHECK (length(file_sha256) <= 64), -- the file itself is not kept
    rows_read             INTEGER NOT NULL DEFAULT 0,
    added                 INTEGER NOT NULL DEFAULT 0,
    already_there         INTEGER NOT NULL DEFAULT 0,
    conflicting           INTEGER NOT NULL DEFAULT 0,
    rejected              INTEGER NOT NULL DEFAULT 0,
    finished_at           INTEGER,
    created_by_client_id  INTEGER REFERENCES clients,
    created_by_account_id INTEGER REFERENCES accounts ON DELETE SET NULL,
    created_at            INTEGER NOT NULL,
    UNIQUE (workspace_id, id)
) STRICT;

CREATE TABLE training_health_readings (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    source_id    INTEGER NOT NULL,
    import_id    INTEGER NOT NULL,
    metric       TEXT NOT NULL CHECK (metric IN ('bodyweight', 'fat_mass', 'lean_mass', 'muscle_mass', 'bone_mass', 'body_water_mass', 'body_fat_percent', 'body_water_percent', 'bmi', 'visceral_fat_rating')),
    unit         TEXT NOT NULL CHECK (unit IN ('kg', 'lb', '%', 'kg/m2', 'rating')),
    value_text   TEXT NOT NULL CHECK (length(value_text) <= 32), -- as it was written
    value_milli  INTEGER NOT NULL,
    measured_at  INTEGER NOT NULL,
    local_day    TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    UNIQUE (source_id, metric, unit, measured_at),
    FOREIGN KEY (workspace_id, source_id) REFERENCES training_health_sources (workspace_id, id),
    FOREIGN KEY (workspace_id, import_id) REFERENCES training_imports (workspace_id, id)
) STRICT;
CREATE INDEX training_health_readings_metric ON training_health_readings (workspace_id, metric, measured_at DESC);
CREATE INDEX training_health_readings_import ON training_health_readings (workspace_id, import_id);

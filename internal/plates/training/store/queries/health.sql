-- name: AddSource :exec
INSERT INTO training_health_sources (workspace_id, kind, name, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT DO NOTHING;

-- name: SourceID :one
SELECT id FROM training_health_sources WHERE workspace_id = $1 AND kind = $2 AND name = $3;

-- name: InsertImport :one
INSERT INTO training_imports (workspace_id, kind, file_name, file_sha256, created_by_client_id, created_by_account_id, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING id;

-- name: FinishImport :exec
UPDATE training_imports SET rows_read = $1, added = $2, already_there = $3, conflicting = $4, rejected = $5, finished_at = $6
WHERE workspace_id = $7 AND id = $8;

-- name: UnfinishedImport :one
-- The newest import of the same file that did not come to its end.
SELECT id FROM training_imports
WHERE workspace_id = $1 AND kind = $2 AND file_sha256 = $3 AND finished_at IS NULL
ORDER BY id DESC LIMIT 1;

-- name: ReadingAt :one
SELECT id, value_milli, import_id FROM training_health_readings
WHERE workspace_id = $1 AND source_id = $2 AND metric = $3 AND unit = $4 AND measured_at = $5;

-- name: ReadingsWithin :many
-- What a source has of a metric between two instants.
SELECT id, measured_at, value_milli, import_id FROM training_health_readings
WHERE workspace_id = sqlc.arg(workspace_id) AND source_id = sqlc.arg(source_id) AND metric = sqlc.arg(metric) AND unit = sqlc.arg(unit)
  AND measured_at >= sqlc.arg(first_at) AND measured_at <= sqlc.arg(last_at)
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: ReplaceReading :exec
UPDATE training_health_readings SET value_text = $1, value_milli = $2, import_id = $3 WHERE workspace_id = $4 AND id = $5;

-- name: KeepReplaced :exec
-- What a reading was before an import took its place.
INSERT INTO training_health_replaced (workspace_id, import_id, previous_import_id, reading_id, value_text, value_milli)
SELECT r.workspace_id, sqlc.arg(import_id), r.import_id, r.id, r.value_text, r.value_milli
FROM training_health_readings AS r
WHERE r.workspace_id = sqlc.arg(workspace_id) AND r.id = sqlc.arg(reading_id)
ON CONFLICT DO NOTHING;

-- name: InheritReplaced :exec
-- A value that a later import replaced goes back to what it was before the
-- import that is undone.
UPDATE training_health_replaced SET previous_import_id = y.previous_import_id, value_text = y.value_text, value_milli = y.value_milli
FROM training_health_replaced AS y
WHERE training_health_replaced.workspace_id = sqlc.arg(workspace_id) AND training_health_replaced.previous_import_id = sqlc.arg(import_id)
  AND y.workspace_id = sqlc.arg(workspace_id) AND y.import_id = sqlc.arg(import_id) AND y.reading_id = training_health_replaced.reading_id;

-- name: ForgetReplaced :exec
-- What the import itself had brought is no value to go back to any more.
DELETE FROM training_health_replaced WHERE workspace_id = $1 AND previous_import_id = $2;

-- name: RestoreReadings :execrows
UPDATE training_health_readings SET import_id = y.previous_import_id, value_text = y.value_text, value_milli = y.value_milli
FROM training_health_replaced AS y
WHERE training_health_readings.workspace_id = sqlc.arg(workspace_id) AND training_health_readings.import_id = sqlc.arg(import_id)
  AND y.workspace_id = sqlc.arg(workspace_id) AND y.import_id = sqlc.arg(import_id) AND y.reading_id = training_health_readings.id;

-- name: DeleteReplacedOfImport :exec
DELETE FROM training_health_replaced WHERE workspace_id = $1 AND import_id = $2;

-- name: DeleteReadingsOfImport :execrows
DELETE FROM training_health_readings WHERE workspace_id = $1 AND import_id = $2;

-- name: DeleteImport :execrows
DELETE FROM training_imports WHERE workspace_id = $1 AND id = $2;

-- name: Imports :many
-- The newest first.
SELECT id, kind, file_name, rows_read, added, already_there, conflicting, rejected, finished_at, created_at FROM training_imports
WHERE workspace_id = sqlc.arg(workspace_id)
ORDER BY id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: HasReadings :one
SELECT CAST(count(*) AS BIGINT) FROM (SELECT r.id FROM training_health_readings AS r WHERE r.workspace_id = $1 LIMIT 1) AS x;

-- name: Readings :many
-- The readings between two days, by source, metric and unit and then by
-- instant; of one metric or of all (''). The instants enclose the days in every
-- time zone; with the list of metrics they let the index find them.
SELECT r.id, s.kind, s.name, r.metric, r.unit, r.value_text, r.value_milli, r.measured_at, r.local_day
FROM training_health_readings AS r
JOIN training_health_sources AS s ON s.id = r.source_id AND s.workspace_id = r.workspace_id
WHERE r.workspace_id = sqlc.arg(workspace_id) AND r.local_day >= sqlc.arg(from_day) AND r.local_day <= sqlc.arg(to_day)
  AND r.measured_at >= sqlc.arg(from_instant) AND r.measured_at < sqlc.arg(to_instant)
  AND r.metric IN ('bodyweight', 'fat_mass', 'lean_mass', 'muscle_mass', 'bone_mass', 'body_water_mass', 'body_fat_percent', 'body_water_percent', 'bmi', 'visceral_fat_rating')
  AND (CAST(sqlc.arg(metric) AS TEXT) = '' OR r.metric = CAST(sqlc.arg(metric) AS TEXT))
ORDER BY s.kind, s.name, r.metric, r.unit, r.measured_at, r.id;

-- name: ReadingGroups :many
-- Every source, metric and unit that the workspace has readings of, with how
-- many they are and the days of the first and the last.
SELECT s.id AS source_id, s.kind, s.name, r.metric, r.unit, CAST(count(*) AS BIGINT) AS readings,
       CAST(min(r.local_day) AS TEXT) AS first_day, CAST(max(r.local_day) AS TEXT) AS last_day
FROM training_health_readings AS r
JOIN training_health_sources AS s ON s.id = r.source_id AND s.workspace_id = r.workspace_id
WHERE r.workspace_id = sqlc.arg(workspace_id)
GROUP BY s.id, s.kind, s.name, r.metric, r.unit
ORDER BY s.kind, s.name, r.metric, r.unit;

-- name: ReadingsOfGroup :many
-- The readings of one source, metric and unit since a day, by instant.
SELECT r.value_milli, r.measured_at, r.local_day FROM training_health_readings AS r
WHERE r.workspace_id = sqlc.arg(workspace_id) AND r.source_id = sqlc.arg(source_id) AND r.metric = sqlc.arg(metric)
  AND r.unit = sqlc.arg(unit) AND r.local_day >= sqlc.arg(from_day)
ORDER BY r.measured_at, r.id;

-- name: OneImport :one
SELECT id, kind, file_name, rows_read, added, already_there, conflicting, rejected, finished_at, created_at FROM training_imports
WHERE workspace_id = $1 AND id = $2;

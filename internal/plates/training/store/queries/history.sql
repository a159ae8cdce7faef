-- name: InsertHistoryImport :one
INSERT INTO training_history_imports (workspace_id, format, file_name, file_sha256, unit, names, touched_at, created_by_client_id, created_by_account_id, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
RETURNING id;

-- name: UnfinishedHistoryImport :one
-- The newest import of the same file that did not come to its end.
SELECT id, workouts, added FROM training_history_imports
WHERE workspace_id = $1 AND format = $2 AND file_sha256 = $3 AND finished_at IS NULL AND undone_at IS NULL
ORDER BY id DESC LIMIT 1;

-- name: TouchHistoryImport :exec
UPDATE training_history_imports
SET workouts = $1, added = $2, already_there = $3, left_out = $4, rejected = $5, done_percent = $6, problem = $7, touched_at = $8
WHERE workspace_id = $9 AND id = $10;

-- name: FinishHistoryImport :exec
UPDATE training_history_imports SET finished_at = $1, done_percent = 100 WHERE workspace_id = $2 AND id = $3;

-- name: HistoryImports :many
-- The newest first.
SELECT id, format, file_name, unit, workouts, added, already_there, left_out, rejected, done_percent, problem, touched_at, finished_at, undone_at, created_at
FROM training_history_imports
WHERE workspace_id = sqlc.arg(workspace_id)
ORDER BY id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: HistoryImport :one
SELECT id, format, file_name, unit, workouts, added, already_there, left_out, rejected, done_percent, problem, touched_at, finished_at, undone_at, created_at
FROM training_history_imports
WHERE workspace_id = $1 AND id = $2;

-- name: HistoryImportNames :many
-- How names were read before, the newest import first.
SELECT names FROM training_history_imports
WHERE workspace_id = sqlc.arg(workspace_id)
ORDER BY id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: HistoryWorkout :one
-- The workout that a file brought, with what comes next in it.
SELECT h.workout_id, h.import_id,
       CAST(COALESCE((SELECT max(s.position) FROM training_sets AS s WHERE s.workspace_id = h.workspace_id AND s.workout_id = h.workout_id), 0) AS BIGINT) AS last_position
FROM training_history_workouts AS h
WHERE h.workspace_id = $1 AND h.source_key = $2;

-- name: HistoryKeysOfWorkout :many
-- The sets of a workout that files brought. Without the CROSS JOIN, SQLite
-- starts at all sets that files brought.
SELECT h.source_key, h.import_id
FROM training_sets AS s
CROSS JOIN training_history_sets AS h
WHERE h.workspace_id = s.workspace_id AND h.set_id = s.id AND s.workspace_id = $1 AND s.workout_id = $2;

-- name: InsertPastWorkout :one
INSERT INTO training_workouts (workspace_id, date, notes, created_by_client_id, created_by_account_id, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING id;

-- name: SetsBetween :many
-- The sets of a run of workouts, to find the ids of those that were just made.
SELECT id, workout_id, position FROM training_sets
WHERE workspace_id = sqlc.arg(workspace_id) AND workout_id >= sqlc.arg(first_workout) AND workout_id <= sqlc.arg(last_workout) AND id > sqlc.arg(after_id);

-- name: NewestSet :one
SELECT CAST(COALESCE(max(id), 0) AS BIGINT) FROM training_sets WHERE workspace_id = $1;

-- name: DeleteUntouchedSets :execrows
-- The sets of an import that are as it brought them.
DELETE FROM training_sets
WHERE training_sets.workspace_id = sqlc.arg(workspace_id) AND training_sets.id IN (
    SELECT h.set_id FROM training_history_sets AS h
    JOIN training_sets AS s ON s.workspace_id = h.workspace_id AND s.id = h.set_id
    WHERE h.workspace_id = sqlc.arg(workspace_id) AND h.import_id = sqlc.arg(import_id)
      AND s.exercise_id = h.exercise_id AND s.is_completed AND s.is_warmup = h.is_warmup
      AND s.weight IS NOT DISTINCT FROM h.weight AND s.reps IS NOT DISTINCT FROM h.reps
      AND s.duration_seconds IS NOT DISTINCT FROM h.duration_seconds
      AND s.rpe IS NOT DISTINCT FROM h.rpe AND s.note IS NOT DISTINCT FROM h.note
);

-- name: DeleteUntouchedWorkouts :execrows
-- The workouts of an import that are empty and as it brought them.
DELETE FROM training_workouts
WHERE training_workouts.workspace_id = sqlc.arg(workspace_id) AND training_workouts.id IN (
    SELECT h.workout_id FROM training_history_workouts AS h
    JOIN training_workouts AS w ON w.workspace_id = h.workspace_id AND w.id = h.workout_id
    WHERE h.workspace_id = sqlc.arg(workspace_id) AND h.import_id = sqlc.arg(import_id)
      AND w.date = h.date AND w.rpe IS NULL AND w.notes IS NOT DISTINCT FROM h.notes
      AND NOT EXISTS (SELECT 1 FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id)
);

-- name: CountHistorySets :one
SELECT CAST(count(*) AS BIGINT) FROM training_history_sets WHERE workspace_id = $1 AND import_id = $2;

-- name: CountHistoryWorkouts :one
SELECT CAST(count(*) AS BIGINT) FROM training_history_workouts WHERE workspace_id = $1 AND import_id = $2;

-- name: DeleteHistoryImport :execrows
DELETE FROM training_history_imports WHERE workspace_id = $1 AND id = $2;

-- name: MarkHistoryImportUndone :execrows
UPDATE training_history_imports SET undone_at = $1 WHERE workspace_id = $2 AND id = $3;

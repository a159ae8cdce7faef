-- name: PutInBin :one
INSERT INTO training_bin (workspace_id, kind, object_id, workout_id, date, title, contents, deleted_at, deleted_by_client_id, deleted_by_account_id)
VALUES (sqlc.arg(workspace_id), sqlc.arg(kind), sqlc.arg(object_id), sqlc.arg(workout_id), sqlc.arg(date), sqlc.arg(title), sqlc.arg(contents),
        sqlc.arg(deleted_at), sqlc.narg(deleted_by_client_id), sqlc.narg(deleted_by_account_id))
RETURNING id;

-- name: Bin :many
-- What a workspace has in the bin, the newest first.
SELECT b.id, b.kind, b.object_id, b.workout_id, b.date, b.title, b.deleted_at, c.name AS client_name
FROM training_bin AS b
LEFT JOIN clients AS c ON c.id = b.deleted_by_client_id
WHERE b.workspace_id = $1
ORDER BY b.deleted_at DESC, b.id DESC
LIMIT 500;

-- name: BinEntry :one
SELECT id, kind, object_id, workout_id, date, title, contents, deleted_at FROM training_bin WHERE workspace_id = $1 AND id = $2;

-- name: BinEntryOf :one
-- The newest entry of something that was deleted.
SELECT id FROM training_bin
WHERE workspace_id = $1 AND kind = $2 AND object_id = $3
ORDER BY id DESC LIMIT 1;

-- name: TakeFromBin :execrows
DELETE FROM training_bin WHERE workspace_id = $1 AND id = $2;

-- name: DeleteBinBefore :execrows
-- Housekeeping over all workspaces.
DELETE FROM training_bin WHERE deleted_at < $1;

-- name: WholeWorkout :one
-- A workout with every column, for the bin.
SELECT id, date, rpe, notes, program_day_id, revision, created_by_client_id, created_by_account_id, created_at
FROM training_workouts WHERE workspace_id = $1 AND id = $2;

-- name: WholeSets :many
-- The sets of a workout, or one of them, with every column, for the bin.
SELECT id, workout_id, exercise_id, program_lift_id, position, measure, weight, reps, duration_seconds,
       planned_weight, planned_reps, planned_duration_seconds, is_per_side, is_warmup, is_completed, is_barbell,
       rpe, note, plan_reason, completed_at, created_by_client_id, created_by_account_id, created_at
FROM training_sets
WHERE workspace_id = sqlc.arg(workspace_id) AND workout_id = sqlc.arg(workout_id)
  AND (CAST(sqlc.arg(set_id) AS BIGINT) = 0 OR id = CAST(sqlc.arg(set_id) AS BIGINT))
ORDER BY position;

-- name: RestoreWorkout :execrows
-- Puts a workout back under its id. What it named and is gone by now is left
-- out. No row = another workout has its id or its day.
INSERT INTO training_workouts (workspace_id, id, date, rpe, notes, program_day_id, revision, created_by_client_id, created_by_account_id, created_at)
VALUES (sqlc.arg(workspace_id), sqlc.arg(id), sqlc.arg(date), sqlc.narg(rpe), sqlc.narg(notes),
        (SELECT d.id FROM training_program_days AS d WHERE d.workspace_id = sqlc.arg(workspace_id) AND d.id = sqlc.narg(program_day_id)),
        sqlc.arg(revision),
        (SELECT c.id FROM clients AS c WHERE c.id = CAST(sqlc.narg(client) AS BIGINT)), (SELECT a.id FROM accounts AS a WHERE a.id = CAST(sqlc.narg(account) AS BIGINT)),
        sqlc.arg(created_at))
ON CONFLICT DO NOTHING;

-- name: RestoreSet :execrows
-- Puts a set back under its id. What it named and is gone by now is left out.
-- No row = another set has its id or its place.
INSERT INTO training_sets (
    workspace_id, id, workout_id, exercise_id, program_lift_id, position, measure, weight, reps, duration_seconds,
    planned_weight, planned_reps, planned_duration_seconds, is_per_side, is_warmup, is_completed, is_barbell,
    rpe, note, plan_reason, completed_at, created_by_client_id, created_by_account_id, created_at
)
SELECT sqlc.arg(workspace_id), sqlc.arg(id), sqlc.arg(workout_id), e.id,
       (SELECT l.id FROM training_program_lifts AS l WHERE l.workspace_id = sqlc.arg(workspace_id) AND l.id = sqlc.narg(program_lift_id)),
       sqlc.arg(position), sqlc.arg(measure), sqlc.narg(weight), sqlc.narg(reps), sqlc.narg(duration_seconds),
       sqlc.narg(planned_weight), sqlc.narg(planned_reps), sqlc.narg(planned_duration_seconds), sqlc.arg(is_per_side), sqlc.arg(is_warmup),
       sqlc.arg(is_completed), sqlc.arg(is_barbell), sqlc.narg(rpe), sqlc.narg(note), sqlc.narg(plan_reason), sqlc.narg(completed_at),
       (SELECT c.id FROM clients AS c WHERE c.id = CAST(sqlc.narg(client) AS BIGINT)), (SELECT a.id FROM accounts AS a WHERE a.id = CAST(sqlc.narg(account) AS BIGINT)),
       sqlc.arg(created_at)
FROM training_exercises AS e
WHERE e.id = sqlc.arg(exercise_id) AND (e.workspace_id = sqlc.arg(workspace_id) OR e.workspace_id IS NULL)
ON CONFLICT DO NOTHING;

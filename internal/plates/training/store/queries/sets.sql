-- name: InsertSet :one
-- No row = the movement is not one that the workspace can see.
INSERT INTO training_sets (
    workspace_id, workout_id, exercise_id, position, measure, weight, reps, duration_seconds,
    is_per_side, is_warmup, is_completed, is_barbell, rpe, note, completed_at,
    created_by_client_id, created_by_account_id, created_at
)
SELECT sqlc.arg(workspace_id), sqlc.arg(workout_id), e.id, sqlc.arg(position), sqlc.arg(measure), sqlc.narg(weight), sqlc.narg(reps),
       sqlc.narg(duration_seconds), sqlc.arg(is_per_side), sqlc.arg(is_warmup), sqlc.arg(is_completed), sqlc.arg(is_barbell),
       sqlc.narg(rpe), sqlc.narg(note), sqlc.narg(completed_at), sqlc.narg(created_by_client_id), sqlc.narg(created_by_account_id), sqlc.arg(created_at)
FROM training_exercises AS e
WHERE e.id = sqlc.arg(exercise_id) AND (e.workspace_id = sqlc.arg(workspace_id) OR e.workspace_id IS NULL)
RETURNING id;

-- name: LastPosition :one
SELECT CAST(COALESCE(max(position), 0) AS BIGINT) AS position FROM training_sets WHERE workspace_id = $1 AND workout_id = $2;

-- name: Set :one
SELECT s.id, s.workout_id, w.date, s.position, s.exercise_id, e.name AS exercise, s.program_lift_id, s.measure, s.weight, s.reps,
       s.duration_seconds, s.planned_weight, s.planned_reps, s.planned_duration_seconds, s.is_per_side, s.is_warmup,
       s.is_completed, s.is_barbell, s.rpe, s.note, s.plan_reason, s.completed_at, s.created_at, c.name AS client_name
FROM training_sets AS s
JOIN training_workouts AS w ON w.id = s.workout_id AND w.workspace_id = s.workspace_id
JOIN training_exercises AS e ON e.id = s.exercise_id
LEFT JOIN clients AS c ON c.id = s.created_by_client_id
WHERE s.workspace_id = $1 AND s.id = $2;

-- name: SetsOfWorkout :many
-- All sets of a workout in the order of lifting.
SELECT s.id, s.workout_id, w.date, s.position, s.exercise_id, e.name AS exercise, s.program_lift_id, s.measure, s.weight, s.reps,
       s.duration_seconds, s.planned_weight, s.planned_reps, s.planned_duration_seconds, s.is_per_side, s.is_warmup,
       s.is_completed, s.is_barbell, s.rpe, s.note, s.plan_reason, s.completed_at, s.created_at, c.name AS client_name
FROM training_sets AS s
JOIN training_workouts AS w ON w.id = s.workout_id AND w.workspace_id = s.workspace_id
JOIN training_exercises AS e ON e.id = s.exercise_id
LEFT JOIN clients AS c ON c.id = s.created_by_client_id
WHERE s.workspace_id = $1 AND s.workout_id = $2
ORDER BY s.position;

-- name: UpdateSet :execrows
-- Everything that may change; the prescription is not among it. No row = the
-- movement is not one that the workspace can see.
UPDATE training_sets
SET exercise_id = $1, measure = $2, weight = $3, reps = $4, duration_seconds = $5, is_per_side = $6, is_warmup = $7,
    is_completed = $8, is_barbell = $9, rpe = $10, note = $11, completed_at = $12
WHERE training_sets.workspace_id = $13 AND training_sets.id = $14
  AND EXISTS (SELECT 1 FROM training_exercises AS e WHERE e.id = $1 AND (e.workspace_id = $13 OR e.workspace_id IS NULL));

-- name: PassOnReason :exec
-- Gives the reason of a removed set to the next working set of its lift.
UPDATE training_sets SET plan_reason = sqlc.arg(plan_reason)
WHERE training_sets.workspace_id = sqlc.arg(workspace_id) AND training_sets.id = (
    SELECT min(n.id) FROM training_sets AS n
    WHERE n.workspace_id = sqlc.arg(workspace_id) AND n.workout_id = sqlc.arg(workout_id)
      AND n.program_lift_id = sqlc.arg(program_lift_id) AND NOT n.is_warmup
);

-- name: DeleteSet :execrows
DELETE FROM training_sets WHERE workspace_id = $1 AND id = $2;

-- name: LiftsOfWorkout :many
-- The lifts of the plan that wrote into a workout, each with its own movement
-- and the rest that it names.
SELECT l.id, l.exercise_id, e.name AS exercise, l.is_barbell, l.rest_seconds, l.warmup_rest_seconds
FROM training_program_lifts AS l
JOIN training_exercises AS e ON e.id = l.exercise_id
WHERE l.workspace_id = sqlc.arg(workspace_id)
  AND l.id IN (SELECT s.program_lift_id FROM training_sets AS s WHERE s.workspace_id = sqlc.arg(workspace_id) AND s.workout_id = sqlc.arg(workout_id));

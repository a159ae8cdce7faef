-- name: SetsOfExercise :many
-- The workspace's own sets of a movement between two days, newest first, with
-- the columns of Set. Open sets and warm-ups only when asked for.
SELECT s.id, s.workout_id, w.date, s.position, s.exercise_id, e.name AS exercise, s.program_lift_id, s.measure, s.weight, s.reps,
       s.duration_seconds, s.planned_weight, s.planned_reps, s.planned_duration_seconds, s.is_per_side, s.is_warmup,
       s.is_completed, s.is_barbell, s.rpe, s.note, s.plan_reason, s.completed_at, s.created_at, c.name AS client_name
FROM training_sets AS s
JOIN training_workouts AS w ON w.id = s.workout_id AND w.workspace_id = s.workspace_id
JOIN training_exercises AS e ON e.id = s.exercise_id
LEFT JOIN clients AS c ON c.id = s.created_by_client_id
WHERE s.workspace_id = sqlc.arg(workspace_id) AND s.exercise_id = sqlc.arg(exercise_id)
  AND w.date >= sqlc.arg(from_date) AND w.date <= sqlc.arg(to_date)
  AND (s.is_completed OR CAST(sqlc.arg(planned) AS BIGINT) = 1) AND (NOT s.is_warmup OR CAST(sqlc.arg(warmups) AS BIGINT) = 1)
ORDER BY w.date DESC, s.id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: CountSetsOfExercise :one
-- How many sets SetsOfExercise has in all, and the heaviest load that was
-- lifted in them; 0 when none was.
SELECT CAST(count(*) AS BIGINT) AS sets,
       CAST(COALESCE(max(CASE WHEN s.is_completed AND NOT s.is_warmup THEN s.weight END), 0) AS BIGINT) AS heaviest
FROM training_sets AS s
JOIN training_workouts AS w ON w.id = s.workout_id AND w.workspace_id = s.workspace_id
WHERE s.workspace_id = sqlc.arg(workspace_id) AND s.exercise_id = sqlc.arg(exercise_id)
  AND w.date >= sqlc.arg(from_date) AND w.date <= sqlc.arg(to_date)
  AND (s.is_completed OR CAST(sqlc.arg(planned) AS BIGINT) = 1) AND (NOT s.is_warmup OR CAST(sqlc.arg(warmups) AS BIGINT) = 1);

-- name: BlockLog :many
-- Every working set in a session that a day of the block became, with the
-- lift that wrote it, if one did.
SELECT k.number AS week, w.date, s.program_lift_id, s.exercise_id, s.is_completed, s.is_per_side, s.weight, s.reps, s.duration_seconds,
       s.planned_weight, s.planned_reps, s.planned_duration_seconds
FROM training_program_weeks AS k
JOIN training_program_days AS d ON d.program_week_id = k.id AND d.workspace_id = k.workspace_id
JOIN training_workouts AS w ON w.program_day_id = d.id AND w.workspace_id = d.workspace_id
CROSS JOIN training_sets AS s
WHERE s.workout_id = w.id AND s.workspace_id = w.workspace_id
  AND k.workspace_id = sqlc.arg(workspace_id) AND k.program_id = sqlc.arg(program_id) AND NOT s.is_warmup
ORDER BY k.number, w.date, w.id, s.position;

-- name: WorkoutsLike :many
-- The workouts whose date, as text, holds the pattern; newest first.
SELECT w.id, w.date FROM training_workouts AS w
WHERE w.workspace_id = sqlc.arg(workspace_id) AND CAST(w.date AS TEXT) LIKE CAST(sqlc.arg(pattern) AS TEXT) ESCAPE '\'
ORDER BY w.date DESC, w.id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: ProgramsLike :many
-- The blocks whose name holds the pattern, the latest start first.
SELECT p.id, p.name FROM training_programs AS p
WHERE p.workspace_id = sqlc.arg(workspace_id) AND p.name_key LIKE CAST(sqlc.arg(pattern) AS TEXT) ESCAPE '\'
ORDER BY p.start_date DESC, p.id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: BlockReasons :many
-- Why the lifts of a block were written as they were, with the week and the
-- day of the session.
SELECT k.number AS week, w.date, s.exercise_id, s.plan_reason
FROM training_program_weeks AS k
JOIN training_program_days AS d ON d.program_week_id = k.id AND d.workspace_id = k.workspace_id
JOIN training_workouts AS w ON w.program_day_id = d.id AND w.workspace_id = d.workspace_id
CROSS JOIN training_sets AS s
WHERE s.workout_id = w.id AND s.workspace_id = w.workspace_id
  AND k.workspace_id = sqlc.arg(workspace_id) AND k.program_id = sqlc.arg(program_id) AND s.plan_reason IS NOT NULL
ORDER BY k.number, w.date, w.id, s.position;

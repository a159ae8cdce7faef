-- name: InsertWorkout :one
INSERT INTO training_workouts (workspace_id, date, created_by_client_id, created_by_account_id, created_at)
VALUES ($1, $2, $3, $4, $5)
RETURNING id;

-- name: InsertGeneratedWorkout :one
-- No row = another generator was first; read the workout of the day again.
INSERT INTO training_workouts (workspace_id, date, program_day_id, created_by_client_id, created_by_account_id, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING
RETURNING id;

-- name: LockWorkout :one
-- The first statement of every write to a workout's sets: writers of one
-- workout follow each other, on both engines.
UPDATE training_workouts SET revision = revision + 1
WHERE workspace_id = $1 AND id = $2
RETURNING id, date;

-- name: Workout :one
SELECT w.id, w.date, w.rpe, w.notes, w.program_day_id, w.created_at, d.focus, c.name AS client_name,
       k.number AS week, p.id AS program_id, p.name AS program,
       (SELECT CAST(count(*) AS BIGINT) FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id) AS sets,
       (SELECT CAST(count(*) AS BIGINT) FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id AND s.is_completed) AS completed_sets
FROM training_workouts AS w
LEFT JOIN training_program_days AS d ON d.id = w.program_day_id AND d.workspace_id = w.workspace_id
LEFT JOIN training_program_weeks AS k ON k.id = d.program_week_id AND k.workspace_id = d.workspace_id
LEFT JOIN training_programs AS p ON p.id = k.program_id AND p.workspace_id = k.workspace_id
LEFT JOIN clients AS c ON c.id = w.created_by_client_id
WHERE w.workspace_id = $1 AND w.id = $2;

-- name: BlockWorkouts :many
-- The workouts that the days of a block became, with the columns of Workout.
SELECT w.id, w.date, w.rpe, w.notes, w.program_day_id, w.created_at, d.focus, c.name AS client_name,
       k.number AS week, p.id AS program_id, p.name AS program,
       (SELECT CAST(count(*) AS BIGINT) FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id) AS sets,
       (SELECT CAST(count(*) AS BIGINT) FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id AND s.is_completed) AS completed_sets
FROM training_programs AS p
JOIN training_program_weeks AS k ON k.program_id = p.id AND k.workspace_id = p.workspace_id
JOIN training_program_days AS d ON d.program_week_id = k.id AND d.workspace_id = k.workspace_id
JOIN training_workouts AS w ON w.program_day_id = d.id AND w.workspace_id = d.workspace_id
LEFT JOIN clients AS c ON c.id = w.created_by_client_id
WHERE p.workspace_id = sqlc.arg(workspace_id) AND p.id = sqlc.arg(program_id)
ORDER BY w.id;

-- name: BlockSets :many
-- What the lifts of a block wrote: their working sets, by workout and in the
-- order of lifting. Without the CROSS JOIN, SQLite starts at all sets of the
-- workspace.
SELECT s.workout_id, s.program_lift_id, s.planned_weight, s.planned_reps, s.planned_duration_seconds, s.plan_reason
FROM training_program_weeks AS k
JOIN training_program_days AS d ON d.program_week_id = k.id AND d.workspace_id = k.workspace_id
JOIN training_program_lifts AS l ON l.program_day_id = d.id AND l.workspace_id = d.workspace_id
CROSS JOIN training_sets AS s
WHERE s.program_lift_id = l.id AND s.workspace_id = l.workspace_id
  AND k.workspace_id = sqlc.arg(workspace_id) AND k.program_id = sqlc.arg(program_id) AND NOT s.is_warmup
ORDER BY s.workout_id, s.position;

-- name: WorkoutOn :one
-- The workout of a date: the first one that was made.
SELECT id FROM training_workouts WHERE workspace_id = $1 AND date = $2 ORDER BY id LIMIT 1;

-- name: WorkoutsOn :many
SELECT id FROM training_workouts WHERE workspace_id = $1 AND date = $2 ORDER BY id;

-- name: WorkoutOfDay :one
SELECT id FROM training_workouts WHERE workspace_id = $1 AND program_day_id = $2;

-- name: Workouts :many
-- The workouts between two days, newest first, of one status or of all (''),
-- from before a (date, id). What a status is: see strength.StatusOf.
SELECT x.id, x.date, x.rpe, x.notes, x.program_day_id, x.created_at, x.focus, x.client_name, x.sets, x.completed_sets
FROM (
    SELECT w.id, w.date, w.rpe, w.notes, w.program_day_id, w.created_at, d.focus, c.name AS client_name,
           (SELECT CAST(count(*) AS BIGINT) FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id) AS sets,
           (SELECT CAST(count(*) AS BIGINT) FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id AND s.is_completed) AS completed_sets
    FROM training_workouts AS w
    LEFT JOIN training_program_days AS d ON d.id = w.program_day_id AND d.workspace_id = w.workspace_id
    LEFT JOIN clients AS c ON c.id = w.created_by_client_id
    WHERE w.workspace_id = sqlc.arg(workspace_id) AND w.date >= sqlc.arg(from_date) AND w.date <= sqlc.arg(to_date)
      AND (w.date, w.id) < (sqlc.arg(before_date), CAST(sqlc.arg(before_id) AS BIGINT))
) AS x
WHERE CAST(sqlc.arg(status) AS TEXT) = ''
   OR CAST(sqlc.arg(status) AS TEXT) = CASE
        WHEN x.completed_sets > 0 THEN 'performed'
        WHEN x.program_day_id IS NOT NULL AND CAST(x.date AS TEXT) < CAST(sqlc.arg(today) AS TEXT) THEN 'skipped'
        WHEN x.program_day_id IS NULL AND CAST(x.date AS TEXT) <= CAST(sqlc.arg(today) AS TEXT) THEN 'performed'
        ELSE 'planned' END
ORDER BY x.date DESC, x.id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: CountWorkouts :one
SELECT CAST(count(*) AS BIGINT) FROM (
    SELECT w.date, w.program_day_id,
           EXISTS (SELECT 1 FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id AND s.is_completed) AS lifted
    FROM training_workouts AS w
    WHERE w.workspace_id = sqlc.arg(workspace_id) AND w.date >= sqlc.arg(from_date) AND w.date <= sqlc.arg(to_date)
) AS x
WHERE CAST(sqlc.arg(status) AS TEXT) = ''
   OR CAST(sqlc.arg(status) AS TEXT) = CASE
        WHEN x.lifted THEN 'performed'
        WHEN x.program_day_id IS NOT NULL AND CAST(x.date AS TEXT) < CAST(sqlc.arg(today) AS TEXT) THEN 'skipped'
        WHEN x.program_day_id IS NULL AND CAST(x.date AS TEXT) <= CAST(sqlc.arg(today) AS TEXT) THEN 'performed'
        ELSE 'planned' END;

-- name: UpcomingWorkouts :many
-- Planned workouts, the soonest first.
SELECT w.id, w.date, w.rpe, w.notes, w.program_day_id, w.created_at, d.focus, c.name AS client_name,
       (SELECT CAST(count(*) AS BIGINT) FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id) AS sets
FROM training_workouts AS w
LEFT JOIN training_program_days AS d ON d.id = w.program_day_id AND d.workspace_id = w.workspace_id
LEFT JOIN clients AS c ON c.id = w.created_by_client_id
WHERE w.workspace_id = sqlc.arg(workspace_id) AND w.date >= sqlc.arg(today)
  AND (w.program_day_id IS NOT NULL OR w.date > sqlc.arg(today))
  AND NOT EXISTS (SELECT 1 FROM training_sets AS s WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id AND s.is_completed)
ORDER BY w.date, w.id
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: MoveWorkout :exec
UPDATE training_workouts SET date = $1 WHERE workspace_id = $2 AND id = $3;

-- name: AnnotateWorkout :exec
UPDATE training_workouts SET notes = $1 WHERE workspace_id = $2 AND id = $3;

-- name: RateWorkout :exec
UPDATE training_workouts SET rpe = $1 WHERE workspace_id = $2 AND id = $3;

-- name: DeleteWorkout :execrows
DELETE FROM training_workouts WHERE workspace_id = $1 AND id = $2;

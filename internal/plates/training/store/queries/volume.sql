-- name: WorkByDay :many
-- What was trained of each movement on each day of a window: completed working
-- sets, their reps with both sides counted, pounds moved and seconds held, and
-- the heaviest load (0 = none).
SELECT w.date, s.exercise_id,
       CAST(count(*) AS BIGINT) AS sets,
       CAST(COALESCE(sum(CASE WHEN s.is_per_side THEN 2 * s.reps ELSE s.reps END), 0) AS BIGINT) AS reps,
       CAST(COALESCE(sum(CASE WHEN s.is_per_side THEN 2 * s.weight * s.reps ELSE s.weight * s.reps END), 0) AS BIGINT) AS tonnage,
       CAST(COALESCE(sum(s.duration_seconds), 0) AS BIGINT) AS seconds,
       CAST(COALESCE(max(s.weight), 0) AS BIGINT) AS heaviest
FROM training_workouts AS w
CROSS JOIN training_sets AS s
WHERE s.workspace_id = w.workspace_id AND s.workout_id = w.id
  AND w.workspace_id = sqlc.arg(workspace_id) AND w.date >= sqlc.arg(from_date) AND w.date <= sqlc.arg(to_date)
  AND s.is_completed AND NOT s.is_warmup
GROUP BY w.date, s.exercise_id
ORDER BY w.date, s.exercise_id;

-- name: ExerciseNames :many
-- The names of the movements that the workspace sees, given as a JSON list of
-- ids.
SELECT e.id, e.name FROM training_exercises AS e
WHERE (e.workspace_id = sqlc.arg(workspace_id) OR e.workspace_id IS NULL)
  AND e.id IN (SELECT CAST(value AS BIGINT) FROM json_each(CAST(sqlc.arg(ids) AS TEXT)))
ORDER BY e.name_key, e.id;

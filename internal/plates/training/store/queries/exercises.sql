-- name: InsertLibraryExercise :execrows
-- A movement of the library; a second load adds nothing. The library has no
-- workspace: WHERE workspace_id IS NULL.
INSERT INTO training_exercises (name, name_key, is_barbell, default_measure, default_is_per_side, default_is_weighted, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (name_key) WHERE workspace_id IS NULL DO NOTHING;

-- name: InsertExercise :one
-- No row = the workspace already has one of that name.
INSERT INTO training_exercises (
    workspace_id, name, name_key, icon_url, is_barbell, default_measure, default_is_per_side, default_is_weighted,
    created_by_client_id, created_by_account_id, created_at
) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (workspace_id, name_key) WHERE workspace_id IS NOT NULL DO NOTHING
RETURNING id;

-- name: UpdateExercise :execrows
-- Own rows only; a library row has no workspace and never matches.
UPDATE training_exercises
SET name = $1, name_key = $2, icon_url = $3, is_barbell = $4, default_measure = $5, default_is_per_side = $6, default_is_weighted = $7
WHERE id = $8 AND workspace_id = $9;

-- name: Exercise :one
SELECT e.id, e.workspace_id, e.name, e.icon_url, e.is_barbell, e.default_measure, e.default_is_per_side, e.default_is_weighted,
       e.created_at, c.name AS client_name
FROM training_exercises AS e
LEFT JOIN clients AS c ON c.id = e.created_by_client_id
WHERE e.id = sqlc.arg(id) AND (e.workspace_id = sqlc.arg(workspace_id) OR e.workspace_id IS NULL);

-- name: ExerciseByKey :one
-- The visible movement of that name, the library's first.
SELECT e.id, e.workspace_id, e.name, e.icon_url, e.is_barbell, e.default_measure, e.default_is_per_side, e.default_is_weighted,
       e.created_at, c.name AS client_name
FROM training_exercises AS e
LEFT JOIN clients AS c ON c.id = e.created_by_client_id
WHERE e.name_key = sqlc.arg(name_key) AND (e.workspace_id = sqlc.arg(workspace_id) OR e.workspace_id IS NULL)
ORDER BY CASE WHEN e.workspace_id IS NULL THEN 0 ELSE 1 END
LIMIT 1;

-- name: Exercises :many
-- The visible movements whose name holds the pattern, by name.
SELECT e.id, e.workspace_id, e.name, e.icon_url, e.is_barbell, e.default_measure, e.default_is_per_side, e.default_is_weighted,
       e.created_at, c.name AS client_name
FROM training_exercises AS e
LEFT JOIN clients AS c ON c.id = e.created_by_client_id
WHERE (e.workspace_id = sqlc.arg(workspace_id) OR e.workspace_id IS NULL)
  AND e.name_key LIKE CAST(sqlc.arg(pattern) AS TEXT) ESCAPE '\'
ORDER BY e.name_key, e.id
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: CountExercises :one
SELECT CAST(count(*) AS BIGINT) FROM training_exercises AS e
WHERE (e.workspace_id = sqlc.arg(workspace_id) OR e.workspace_id IS NULL)
  AND e.name_key LIKE CAST(sqlc.arg(pattern) AS TEXT) ESCAPE '\';

-- name: EstimateSets :many
-- The sets that an estimated max may be read from, newest first: the chart
-- reads at most 7 repetitions, which is 7 at RPE 10. The day is looked up set by
-- set, so that no engine reads all workouts for it.
SELECT x.id, x.workout_id, x.date, x.weight, x.reps, x.rpe
FROM (
    SELECT s.id, s.workout_id, s.weight, s.reps, s.rpe,
           (SELECT w.date FROM training_workouts AS w
            WHERE w.id = s.workout_id AND w.workspace_id = s.workspace_id AND w.date <= sqlc.arg(until)) AS date
    FROM training_sets AS s
    WHERE s.workspace_id = sqlc.arg(workspace_id) AND s.exercise_id = sqlc.arg(exercise_id)
      AND s.is_completed AND NOT s.is_warmup AND NOT s.is_per_side AND s.measure = 'reps'
      AND s.weight IS NOT NULL AND s.reps <= 7
) AS x
WHERE x.date IS NOT NULL
ORDER BY x.date DESC, x.id DESC;

-- name: ExerciseSets :many
-- The workspace's own sets of a movement, newest first, a page at a time. The
-- day is looked up set by set, as in EstimateSets.
SELECT x.id, x.workout_id, x.date, x.position, x.measure, x.weight, x.reps, x.duration_seconds, x.is_per_side,
       x.planned_weight, x.planned_reps, x.planned_duration_seconds, x.is_warmup, x.is_completed, x.rpe
FROM (
    SELECT s.id, s.workout_id, s.position, s.measure, s.weight, s.reps, s.duration_seconds, s.is_per_side,
           s.planned_weight, s.planned_reps, s.planned_duration_seconds, s.is_warmup, s.is_completed, s.rpe,
           (SELECT w.date FROM training_workouts AS w
            WHERE w.id = s.workout_id AND w.workspace_id = s.workspace_id
              AND (w.date, s.id) < (sqlc.arg(before_date), CAST(sqlc.arg(before_id) AS BIGINT))) AS date
    FROM training_sets AS s
    WHERE s.workspace_id = sqlc.arg(workspace_id) AND s.exercise_id = sqlc.arg(exercise_id)
) AS x
WHERE x.date IS NOT NULL
ORDER BY x.date DESC, x.id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: LibraryKeys :many
-- The names that the library has: WHERE workspace_id IS NULL.
SELECT name_key FROM training_exercises WHERE workspace_id IS NULL;

-- name: HeaviestByDay :many
-- The heaviest load that the workspace lifted of a movement, one row a day. The
-- day is looked up set by set, so that no engine reads all workouts for it.
SELECT x.date, CAST(max(x.weight) AS BIGINT) AS weight
FROM (
    SELECT (SELECT w.date FROM training_workouts AS w WHERE w.id = s.workout_id AND w.workspace_id = s.workspace_id) AS date, s.weight
    FROM training_sets AS s
    WHERE s.workspace_id = sqlc.arg(workspace_id) AND s.exercise_id = sqlc.arg(exercise_id)
      AND s.is_completed AND NOT s.is_warmup AND s.weight IS NOT NULL
) AS x
GROUP BY x.date
ORDER BY x.date;

-- name: CountVisible :one
-- How many of the movements, given as a JSON list of ids, the workspace sees.
SELECT CAST(count(*) AS BIGINT) FROM training_exercises
WHERE (workspace_id = sqlc.arg(workspace_id) OR workspace_id IS NULL)
  AND id IN (SELECT CAST(value AS BIGINT) FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

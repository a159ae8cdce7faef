-- name: InsertGoal :one
-- No row = the movement is not one that the workspace can see.
INSERT INTO training_goals (
    workspace_id, exercise_id, program_id, target_weight, target_reps, target_date, note, created_by_client_id, created_by_account_id, created_at
)
SELECT sqlc.arg(workspace_id), e.id, sqlc.narg(program_id), sqlc.arg(target_weight), sqlc.arg(target_reps), sqlc.narg(target_date),
       sqlc.narg(note), sqlc.narg(created_by_client_id), sqlc.narg(created_by_account_id), sqlc.arg(created_at)
FROM training_exercises AS e
WHERE e.id = sqlc.arg(exercise_id) AND (e.workspace_id = sqlc.arg(workspace_id) OR e.workspace_id IS NULL)
RETURNING id;

-- name: SupersedeGoal :exec
UPDATE training_goals SET superseded_at = $1 WHERE workspace_id = $2 AND id = $3;

-- name: ActiveGoals :many
-- The active goals of a workspace, of all lifts and blocks.
SELECT g.id, g.exercise_id, e.name AS exercise, g.program_id, g.target_weight, g.target_reps, g.target_date, g.note, g.created_at, c.name AS client_name
FROM training_goals AS g
JOIN training_exercises AS e ON e.id = g.exercise_id
LEFT JOIN clients AS c ON c.id = g.created_by_client_id
WHERE g.workspace_id = $1 AND g.superseded_at IS NULL
ORDER BY e.name_key, g.id;

-- name: HeaviestAtReps :one
-- The heaviest set that was lifted for at least some reps, the first of
-- equals. The day is looked up set by set, as in EstimateSets.
SELECT x.id, x.workout_id, x.date, x.weight, x.reps, x.rpe
FROM (
    SELECT s.id, s.workout_id, s.weight, s.reps, s.rpe,
           (SELECT w.date FROM training_workouts AS w WHERE w.id = s.workout_id AND w.workspace_id = s.workspace_id) AS date
    FROM training_sets AS s
    WHERE s.workspace_id = sqlc.arg(workspace_id) AND s.exercise_id = sqlc.arg(exercise_id)
      AND s.is_completed AND NOT s.is_warmup AND s.measure = 'reps' AND s.weight IS NOT NULL AND s.reps >= sqlc.arg(reps)
) AS x
ORDER BY COALESCE(x.weight, 0) DESC, x.date, x.id
LIMIT 1;

-- name: FirstLifted :one
-- The first day on which a weight was lifted for at least some reps.
SELECT x.date
FROM (
    SELECT s.id, (SELECT w.date FROM training_workouts AS w WHERE w.id = s.workout_id AND w.workspace_id = s.workspace_id) AS date
    FROM training_sets AS s
    WHERE s.workspace_id = sqlc.arg(workspace_id) AND s.exercise_id = sqlc.arg(exercise_id)
      AND s.is_completed AND NOT s.is_warmup AND s.measure = 'reps' AND s.weight >= sqlc.arg(weight) AND s.reps >= sqlc.arg(reps)
) AS x
ORDER BY x.date, x.id
LIMIT 1;

-- name: FormerGoals :many
-- The goals that were replaced or cleared, the latest ended first.
SELECT g.id, g.exercise_id, e.name AS exercise, g.program_id, p.name AS program, g.target_weight, g.target_reps, g.target_date, g.note, g.created_at,
       g.superseded_at, c.name AS client_name,
       CAST((SELECT count(*) FROM training_goals AS n
             WHERE n.workspace_id = g.workspace_id AND n.exercise_id = g.exercise_id AND COALESCE(n.program_id, 0) = COALESCE(g.program_id, 0)
               AND n.created_at = g.superseded_at) AS BIGINT) AS replaced
FROM training_goals AS g
JOIN training_exercises AS e ON e.id = g.exercise_id
LEFT JOIN training_programs AS p ON p.id = g.program_id AND p.workspace_id = g.workspace_id
LEFT JOIN clients AS c ON c.id = g.created_by_client_id
WHERE g.workspace_id = sqlc.arg(workspace_id) AND g.superseded_at IS NOT NULL
ORDER BY g.superseded_at DESC NULLS LAST, g.id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

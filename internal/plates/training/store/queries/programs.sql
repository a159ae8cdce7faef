-- name: InsertProgram :one
-- No row = the workspace already has a block of that name and number.
INSERT INTO training_programs (
    workspace_id, name, name_key, block, start_date, notes, preferred_reps, is_ascending,
    created_by_client_id, created_by_account_id, created_at
) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT DO NOTHING
RETURNING id;

-- name: InsertWeek :one
INSERT INTO training_program_weeks (workspace_id, program_id, number, is_deload, notes, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING id;

-- name: InsertDay :one
INSERT INTO training_program_days (workspace_id, program_week_id, weekday, focus, created_at)
VALUES ($1, $2, $3, $4, $5)
RETURNING id;

-- name: InsertLift :one
-- No row = the movement is not one that the workspace can see.
INSERT INTO training_program_lifts (
    workspace_id, program_day_id, exercise_id, position, sets, measure, reps, duration_seconds, is_weighted,
    top_weight, percent_of_max, progression, step_up, step_down, starts_here, is_per_side, is_barbell, is_main, note,
    reps_to, rest_seconds, warmup_rest_seconds, created_at
)
SELECT sqlc.arg(workspace_id), sqlc.arg(program_day_id), e.id, sqlc.arg(position), sqlc.arg(sets), sqlc.arg(measure),
       sqlc.narg(reps), sqlc.narg(duration_seconds), sqlc.arg(is_weighted), sqlc.narg(top_weight), sqlc.narg(percent_of_max),
       sqlc.narg(progression), sqlc.narg(step_up), sqlc.narg(step_down), sqlc.arg(starts_here), sqlc.arg(is_per_side), sqlc.arg(is_barbell),
       sqlc.arg(is_main), sqlc.narg(note), sqlc.narg(reps_to), sqlc.narg(rest_seconds), sqlc.narg(warmup_rest_seconds),
       sqlc.arg(created_at)
FROM training_exercises AS e
WHERE e.id = sqlc.arg(exercise_id) AND (e.workspace_id = sqlc.arg(workspace_id) OR e.workspace_id IS NULL)
RETURNING id;

-- name: ProgramByName :one
SELECT id FROM training_programs
WHERE workspace_id = sqlc.arg(workspace_id) AND name_key = sqlc.arg(name_key)
  AND COALESCE(block, -1) = CAST(sqlc.arg(block) AS BIGINT);

-- name: Program :one
SELECT p.id, p.name, p.block, p.start_date, p.notes, p.preferred_reps, p.is_ascending, p.created_at, p.archived_at, c.name AS client_name
FROM training_programs AS p
LEFT JOIN clients AS c ON c.id = p.created_by_client_id
WHERE p.workspace_id = $1 AND p.id = $2;

-- name: Programs :many
-- The blocks that are not put away, the latest start first.
SELECT p.id, p.name, p.block, p.start_date, p.notes, p.preferred_reps, p.is_ascending, p.created_at, p.archived_at, c.name AS client_name
FROM training_programs AS p
LEFT JOIN clients AS c ON c.id = p.created_by_client_id
WHERE p.workspace_id = sqlc.arg(workspace_id) AND p.archived_at IS NULL
ORDER BY p.start_date DESC, p.id DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

-- name: CountPrograms :one
SELECT CAST(count(*) AS BIGINT) FROM training_programs WHERE workspace_id = $1 AND archived_at IS NULL;

-- name: ArchivedPrograms :many
-- The blocks that are put away, the latest start first.
SELECT id, name, start_date FROM training_programs
WHERE workspace_id = $1 AND archived_at IS NOT NULL
ORDER BY start_date DESC, id DESC;

-- name: FirstProgram :one
SELECT id FROM training_programs WHERE workspace_id = $1 ORDER BY id LIMIT 1;

-- name: WeekNumbers :many
-- The weeks of all blocks of a workspace, to count them and find today's.
SELECT program_id, number FROM training_program_weeks
WHERE workspace_id = $1
ORDER BY program_id, number;

-- name: Weeks :many
SELECT id, number, is_deload, notes FROM training_program_weeks
WHERE workspace_id = $1 AND program_id = $2
ORDER BY number;

-- name: Days :many
-- The days of a block with the workout that was generated from each. Without
-- the CROSS JOIN, SQLite starts at all days of the workspace.
SELECT d.id, d.program_week_id, d.weekday, d.focus, w.id AS workout_id
FROM training_program_weeks AS k
CROSS JOIN training_program_days AS d
LEFT JOIN training_workouts AS w ON w.program_day_id = d.id AND w.workspace_id = d.workspace_id
WHERE k.workspace_id = $1 AND k.program_id = $2 AND d.program_week_id = k.id AND d.workspace_id = k.workspace_id
ORDER BY k.number, d.weekday, d.id;

-- name: Lifts :many
-- The lifts of a block in their order, found from its weeks downwards as Days.
SELECT l.id, l.program_day_id, l.exercise_id, e.name AS exercise, l.position, l.sets, l.measure, l.reps, l.duration_seconds,
       l.is_weighted, l.top_weight, l.percent_of_max, l.progression, l.step_up, l.step_down, l.starts_here,
       l.is_per_side, l.is_barbell, l.is_main, l.note, l.reps_to, l.rest_seconds, l.warmup_rest_seconds
FROM training_program_weeks AS k
CROSS JOIN training_program_days AS d
CROSS JOIN training_program_lifts AS l
JOIN training_exercises AS e ON e.id = l.exercise_id
WHERE k.workspace_id = $1 AND k.program_id = $2
  AND d.program_week_id = k.id AND d.workspace_id = k.workspace_id
  AND l.program_day_id = d.id AND l.workspace_id = d.workspace_id
ORDER BY k.number, d.weekday, d.id, l.position, l.id;

-- name: WrittenSets :many
-- Every set that a lift of the block wrote in weeks before the given one:
-- what a progression reads. Deload weeks are left out by their week. Without
-- the CROSS JOIN, SQLite starts at all sets of the workspace.
SELECT k.number AS week, d.weekday, l.id AS lift_id, l.exercise_id AS lift_exercise_id, l.sets AS written_sets, l.reps AS written_reps,
       l.duration_seconds AS written_seconds, l.position AS lift_position,
       s.exercise_id, s.is_warmup, s.is_completed, s.weight, s.reps, s.duration_seconds,
       s.planned_weight, s.planned_reps, s.planned_duration_seconds
FROM training_program_weeks AS k
JOIN training_program_days AS d ON d.program_week_id = k.id AND d.workspace_id = k.workspace_id
JOIN training_program_lifts AS l ON l.program_day_id = d.id AND l.workspace_id = d.workspace_id
CROSS JOIN training_sets AS s
WHERE s.program_lift_id = l.id AND s.workspace_id = l.workspace_id
  AND k.workspace_id = sqlc.arg(workspace_id) AND k.program_id = sqlc.arg(program_id) AND k.number < sqlc.arg(before_week) AND NOT k.is_deload
ORDER BY k.number DESC, d.weekday, l.position, l.id, s.position;

-- name: LockProgram :one
-- The first statement of every edit of a block and of every generation from
-- it: they follow each other, on both engines.
UPDATE training_programs SET is_ascending = is_ascending
WHERE workspace_id = $1 AND id = $2
RETURNING id;

-- name: ProgramOfDay :one
SELECT k.program_id
FROM training_program_days AS d
JOIN training_program_weeks AS k ON k.id = d.program_week_id AND k.workspace_id = d.workspace_id
WHERE d.workspace_id = $1 AND d.id = $2;

-- name: ProgramOfLift :one
SELECT k.program_id
FROM training_program_lifts AS l
JOIN training_program_days AS d ON d.id = l.program_day_id AND d.workspace_id = l.workspace_id
JOIN training_program_weeks AS k ON k.id = d.program_week_id AND k.workspace_id = d.workspace_id
WHERE l.workspace_id = $1 AND l.id = $2;

-- name: UpdateDay :exec
UPDATE training_program_days SET weekday = $1, focus = $2 WHERE workspace_id = $3 AND id = $4;

-- name: UpdateLift :execrows
-- Everything that may change about a lift. No row = the movement is not one
-- that the workspace can see.
UPDATE training_program_lifts
SET exercise_id = $1, position = $2, sets = $3, measure = $4, reps = $5, duration_seconds = $6, is_weighted = $7, top_weight = $8,
    percent_of_max = $9, progression = $10, step_up = $11, step_down = $12, starts_here = $13, is_per_side = $14, is_barbell = $15,
    is_main = $16, note = $17, reps_to = $18
WHERE training_program_lifts.workspace_id = $19 AND training_program_lifts.id = $20
  AND EXISTS (SELECT 1 FROM training_exercises AS e WHERE e.id = $1 AND (e.workspace_id = $19 OR e.workspace_id IS NULL));

-- name: UpdateLiftExtras :exec
UPDATE training_program_lifts SET reps_to = $1, rest_seconds = $2, warmup_rest_seconds = $3 WHERE workspace_id = $4 AND id = $5;

-- name: ShiftLifts :exec
-- Moves the lifts of a day from one position to another, both included, by
-- some places.
UPDATE training_program_lifts SET position = position + CAST(sqlc.arg(places) AS BIGINT)
WHERE workspace_id = sqlc.arg(workspace_id) AND program_day_id = sqlc.arg(program_day_id)
  AND position >= CAST(sqlc.arg(from_position) AS BIGINT) AND position <= CAST(sqlc.arg(to_position) AS BIGINT);

-- name: ReleaseSets :exec
-- Lets the sets that a lift wrote stand on their own, before it goes.
UPDATE training_sets SET program_lift_id = NULL WHERE workspace_id = $1 AND program_lift_id = $2;

-- name: DeleteLift :exec
DELETE FROM training_program_lifts WHERE workspace_id = $1 AND id = $2;

-- name: DeleteLiftSets :exec
-- Removes what a lift wrote into one workout.
DELETE FROM training_sets WHERE workspace_id = $1 AND workout_id = $2 AND program_lift_id = $3;

-- name: ClearPositions :exec
-- Takes the sets behind a position out of the way, to where they go but
-- negative: a position is taken only once, and statements change row by row.
UPDATE training_sets SET position = -(position + CAST(sqlc.arg(places) AS BIGINT))
WHERE workspace_id = sqlc.arg(workspace_id) AND workout_id = sqlc.arg(workout_id) AND position > CAST(sqlc.arg(behind) AS BIGINT);

-- name: TakePositions :exec
-- Puts the sets that were taken out of the way into their places.
UPDATE training_sets SET position = -position
WHERE workspace_id = sqlc.arg(workspace_id) AND workout_id = sqlc.arg(workout_id) AND position < 0;

-- name: UpdateProgram :exec
UPDATE training_programs SET name = $1, name_key = $2, start_date = $3, preferred_reps = $4, is_ascending = $5, notes = $6
WHERE workspace_id = $7 AND id = $8;

-- name: ArchiveProgram :exec
UPDATE training_programs SET archived_at = $1 WHERE workspace_id = $2 AND id = $3;

-- name: DeleteProgram :exec
-- Its weeks, days and lifts go with it.
DELETE FROM training_programs WHERE workspace_id = $1 AND id = $2;

-- name: EndGoalsOfProgram :exec
-- The goals of a block that goes are kept, as goals that were.
UPDATE training_goals SET superseded_at = COALESCE(superseded_at, sqlc.arg(superseded_at)), program_id = NULL
WHERE workspace_id = sqlc.arg(workspace_id) AND program_id = CAST(sqlc.arg(program_id) AS BIGINT);

-- name: UpdateWeek :exec
UPDATE training_program_weeks SET is_deload = $1, notes = $2 WHERE workspace_id = $3 AND id = $4;

-- name: RenumberWeek :exec
UPDATE training_program_weeks SET number = $1 WHERE workspace_id = $2 AND id = $3;

-- name: DeleteWeek :exec
-- Its days and lifts go with it.
DELETE FROM training_program_weeks WHERE workspace_id = $1 AND id = $2;

-- name: DeleteDay :exec
-- Its lifts go with it.
DELETE FROM training_program_days WHERE workspace_id = $1 AND id = $2;

-- name: ReleaseWorkout :exec
-- Lets a workout stand on its own, before the day that it was generated from
-- goes.
UPDATE training_workouts SET program_day_id = NULL WHERE workspace_id = $1 AND id = $2;

-- name: ReleaseSetsOfDay :exec
-- Lets every set that a lift of a day wrote stand on its own.
UPDATE training_sets SET program_lift_id = NULL
WHERE training_sets.workspace_id = sqlc.arg(workspace_id)
  AND program_lift_id IN (SELECT l.id FROM training_program_lifts AS l WHERE l.workspace_id = sqlc.arg(workspace_id) AND l.program_day_id = sqlc.arg(program_day_id));

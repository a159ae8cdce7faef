-- What a plan says beside the loads: blocks that are put away, the upper end
-- of a range of reps, and the rest between sets.
-- Units: rests are seconds; *_at is microseconds since 1970 UTC.

-- +goose Up

ALTER TABLE training_programs ADD COLUMN archived_at INTEGER; -- NULL = in the list

ALTER TABLE training_program_lifts ADD COLUMN reps_to INTEGER CHECK (reps_to BETWEEN 1 AND 100); -- a linear lift adds reps up to this before pounds
ALTER TABLE training_program_lifts ADD COLUMN rest_seconds INTEGER CHECK (rest_seconds BETWEEN 5 AND 900);
ALTER TABLE training_program_lifts ADD COLUMN warmup_rest_seconds INTEGER CHECK (warmup_rest_seconds BETWEEN 5 AND 900);

-- When connections and personal tokens were last used, for the page that lists
-- them.

-- +goose Up

ALTER TABLE grants ADD COLUMN last_used_at TIMESTAMPTZ; -- written once a minute; NULL before the first call

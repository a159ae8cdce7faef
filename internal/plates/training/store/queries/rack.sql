-- name: Settings :one
SELECT bar_weight, display_unit FROM training_settings WHERE workspace_id = $1;

-- name: SaveBar :exec
INSERT INTO training_settings (workspace_id, bar_weight, created_at) VALUES ($1, $2, $3)
ON CONFLICT (workspace_id) DO UPDATE SET bar_weight = excluded.bar_weight;

-- name: SaveUnit :exec
INSERT INTO training_settings (workspace_id, display_unit, created_at) VALUES ($1, $2, $3)
ON CONFLICT (workspace_id) DO UPDATE SET display_unit = excluded.display_unit;

-- name: Plates :many
SELECT denomination_hundredths, pairs FROM training_plates
WHERE workspace_id = $1
ORDER BY denomination_hundredths DESC;

-- name: DeletePlates :exec
DELETE FROM training_plates WHERE workspace_id = $1;

-- name: InsertPlate :exec
INSERT INTO training_plates (workspace_id, denomination_hundredths, pairs, created_at) VALUES ($1, $2, $3, $4);

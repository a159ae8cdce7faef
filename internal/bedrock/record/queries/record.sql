-- name: AppendRow :one
INSERT INTO record_rows (
    ref, phase, at, workspace_id, plate, tool, transport, actor_type, actor_id, actor_claim,
    member_id, grant_id, client_id, account_id, outcome, error_code, cause, cause_detail, correlator,
    cost_micro, duration_ms, bytes_in, bytes_out, count, contract_version, input_sha256, object_refs,
    run_id, wave_id, corrects, event, detail
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
    $11, $12, $13, $14, $15, $16, $17, $18, $19,
    $20, $21, $22, $23, $24, $25, $26, $27,
    $28, $29, $30, $31, $32
)
RETURNING sequence;

-- name: RowsByRef :many
-- The rows of one call in any workspace, for the operator. At most three.
SELECT * FROM record_rows WHERE ref = $1 ORDER BY sequence;

-- name: RowsBefore :many
-- A page of a workspace's record, newest first. The first page asks before
-- the highest number there is.
SELECT * FROM record_rows
WHERE workspace_id = sqlc.arg(workspace_id) AND sequence < CAST(sqlc.arg(before_sequence) AS BIGINT)
ORDER BY sequence DESC
LIMIT CAST(sqlc.arg(row_limit) AS BIGINT);

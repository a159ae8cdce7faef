-- Bedrock: who signs in, which workspaces there are, who may do what in them,
-- and the record of what was done.
-- Units: *_at is an instant in UTC as Unix microseconds, but sessions use
-- seconds; *_micro is millionths of a US dollar.

-- +goose Up

-- People who can sign in.
CREATE TABLE accounts (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    email             TEXT NOT NULL,              -- as typed, trimmed, at most 254 characters
    email_key         TEXT NOT NULL UNIQUE,       -- NFKC and case folded in Go; what sign-in looks up
    password_hash     TEXT NOT NULL,              -- argon2id in PHC form; '' cannot sign in
    session_epoch     INTEGER NOT NULL DEFAULT 0, -- raised by a password change; sessions of another epoch are signed out
    is_instance_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_instance_admin IN (0, 1)), -- may administer this instance, not its workspaces
    theme             TEXT CHECK (theme IN ('light', 'dark')), -- NULL follows the device
    created_at        INTEGER NOT NULL
) STRICT;

-- The tenants: everything that a plate stores belongs to one.
CREATE TABLE workspaces (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    uid        TEXT NOT NULL UNIQUE,  -- UUIDv7, where a hash or another system needs stable text
    name       TEXT NOT NULL,         -- what people read
    time_zone  TEXT NOT NULL,         -- IANA name; decides which day "today" is
    created_at INTEGER NOT NULL
) STRICT;

-- Who works in which workspace.
CREATE TABLE members (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    account_id   INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    role         TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')), -- viewer reads, member also writes, the others do all
    created_at   INTEGER NOT NULL,
    UNIQUE (workspace_id, id),
    UNIQUE (workspace_id, account_id)
) STRICT;
CREATE INDEX members_account ON members (account_id);

-- Browsers that are signed in.
CREATE TABLE sessions (
    token_hash TEXT NOT NULL PRIMARY KEY,  -- hex SHA-256 of the cookie's token; the token itself is not stored
    data       BLOB NOT NULL,              -- encoded by the session library
    expires_at INTEGER NOT NULL            -- Unix seconds
) STRICT;
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Programs that act for people.
CREATE TABLE clients (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    uid          TEXT NOT NULL UNIQUE,  -- OAuth client_id, or the URL of its metadata document
    kind         TEXT NOT NULL CHECK (kind IN ('dcr', 'cimd', 'cc', 'token', 'stdio')), -- registered, by metadata URL, client credentials, personal token, local
    name         TEXT NOT NULL,         -- what the consent page shows
    auth_method  TEXT NOT NULL DEFAULT 'none' CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
    secret_hash  TEXT,                  -- hex SHA-256 of the secret; NULL when it has none
    metadata     TEXT CHECK (json_valid(metadata)), -- registration document; NULL when it has none
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER                   -- when it last got a token; NULL before the first
) STRICT;

-- What an account allowed a client to do in a workspace. It begins with a code
-- that is used once; its refresh tokens are derived from the row, not stored.
CREATE TABLE grants (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id    INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    account_id      INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    client_id       INTEGER NOT NULL REFERENCES clients ON DELETE CASCADE,
    scopes          TEXT NOT NULL,  -- separated by single spaces
    plates          TEXT NOT NULL,  -- names separated by single spaces
    rules           TEXT NOT NULL CHECK (json_valid(rules)), -- object: plate name to that plate's own rules
    redirect_uri    TEXT,           -- where the code was sent; NULL without a code
    code_hash       TEXT UNIQUE,    -- hex SHA-256 of the code; NULL without a code
    code_challenge  TEXT,           -- S256 of the verifier
    code_expires_at INTEGER,
    code_used_at    INTEGER,           -- NULL while nobody exchanged the code
    seed            TEXT NOT NULL,  -- random; the refresh tokens are an HMAC over it
    generation      INTEGER NOT NULL DEFAULT 0, -- of the refresh token that is good now
    rotated_at      INTEGER,           -- when the generation last rose
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER,           -- NULL without an end
    revoked_at      INTEGER,           -- NULL while it holds
    revoke_reason   TEXT,           -- short machine word
    UNIQUE (workspace_id, id)
) STRICT;
CREATE INDEX grants_account ON grants (account_id);
CREATE INDEX grants_client ON grants (client_id);

-- Personal tokens: long-lived secrets that a person makes for a program. Each
-- stands for one grant.
CREATE TABLE tokens (
    grant_id     INTEGER NOT NULL PRIMARY KEY,
    workspace_id INTEGER NOT NULL,
    token_hash   TEXT NOT NULL UNIQUE, -- hex SHA-256 of the token; the token itself is not stored
    hint         TEXT NOT NULL,        -- its last four characters, to tell tokens apart
    in_address   INTEGER NOT NULL DEFAULT 0 CHECK (in_address IN (0, 1)), -- may be used as ?token= where a plate allows it
    created_at   INTEGER NOT NULL,        -- of this secret; a rotation makes a new one
    FOREIGN KEY (workspace_id, grant_id) REFERENCES grants (workspace_id, id) ON DELETE CASCADE
) STRICT;

-- Request ids of writes, so that a repeated call gets the stored answer.
CREATE TABLE request_keys (
    workspace_id INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    account_id   INTEGER NOT NULL,
    plate        TEXT NOT NULL,
    tool         TEXT NOT NULL,
    request_id   TEXT NOT NULL,     -- chosen by the caller
    input_sha256 TEXT NOT NULL,     -- hex, of the canonical arguments
    answer       TEXT,              -- JSON as it was sent, byte for byte; NULL until the call succeeded
    created_at   INTEGER NOT NULL,  -- kept 7 days
    PRIMARY KEY (workspace_id, account_id, plate, tool, request_id)
) STRICT;
CREATE INDEX request_keys_created_at ON request_keys (created_at);

-- The record: one append-only row for every change, refusal and cost. It has
-- no foreign keys, since it outlives what it names, and no arguments.
CREATE TABLE record_rows (
    sequence         INTEGER PRIMARY KEY AUTOINCREMENT, -- strictly increasing
    ref              TEXT NOT NULL,              -- 'rf_' and 26 base32 characters; the rows of one call share it
    phase            TEXT NOT NULL CHECK (phase IN ('intent', 'outcome', 'denial', 'event')),
    at               INTEGER NOT NULL,
    workspace_id     INTEGER,                    -- NULL when nobody was identified
    plate            TEXT NOT NULL,              -- 'bedrock' for events of its own
    tool             TEXT NOT NULL,              -- '' for events
    transport        TEXT NOT NULL CHECK (transport IN ('mcp_http', 'mcp_stdio', 'cli', 'api', 'web', 'job', 'internal')),
    actor_type       TEXT NOT NULL CHECK (actor_type IN ('user', 'agent', 'client', 'task', 'node', 'local_operator', 'anonymous')),
    actor_id         TEXT,                       -- verified identity
    actor_claim      TEXT,                       -- what the caller says it is, not verified
    member_id        INTEGER,
    grant_id         INTEGER,
    client_id        INTEGER,
    account_id       INTEGER,
    outcome          TEXT CHECK (outcome IN ('ok', 'error', 'refused')), -- refused = access denied; NULL in an intent
    error_code       TEXT,                       -- code of the refusal
    cause            TEXT,                       -- short machine word
    cause_detail     TEXT,                       -- for the operator only, without secrets
    correlator       TEXT,                       -- the caller's own trace id
    cost_micro       INTEGER NOT NULL DEFAULT 0, -- micro-dollars
    duration_ms      INTEGER,
    bytes_in         INTEGER NOT NULL DEFAULT 0, -- size of the arguments
    bytes_out        INTEGER,                    -- size of the structured answer
    count            INTEGER NOT NULL DEFAULT 1, -- calls folded into this row
    contract_version INTEGER NOT NULL,
    input_sha256     TEXT,                       -- hex, of the canonical arguments
    object_refs      TEXT,                       -- JSON list of what was touched, such as ["workout:12"]
    run_id           TEXT,
    wave_id          TEXT,
    corrects         TEXT,                       -- ref of the row that this one corrects
    event            TEXT,                       -- name of an event, such as 'password_changed'
    detail           TEXT CHECK (json_valid(detail)), -- figures of an event
    UNIQUE (ref, phase)
) STRICT;
CREATE INDEX record_rows_workspace_sequence ON record_rows (workspace_id, sequence);
CREATE INDEX record_rows_workspace_at ON record_rows (workspace_id, at);
CREATE INDEX record_rows_workspace_outcome ON record_rows (workspace_id, outcome, sequence);
CREATE INDEX record_rows_ref ON record_rows (ref);
CREATE INDEX record_rows_client ON record_rows (client_id) WHERE client_id IS NOT NULL;

-- +goose StatementBegin
CREATE TRIGGER record_rows_no_update BEFORE UPDATE ON record_rows
BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER record_rows_no_delete BEFORE DELETE ON record_rows
BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
-- +goose StatementEnd
-- INSERT OR REPLACE removes the old row without firing the trigger on DELETE,
-- so a row that is already there is refused before that.
-- +goose StatementBegin
CREATE TRIGGER record_rows_no_replace BEFORE INSERT ON record_rows
WHEN EXISTS (SELECT 1 FROM record_rows WHERE sequence = NEW.sequence OR (ref = NEW.ref AND phase = NEW.phase))
BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
-- +goose StatementEnd

package dbtype

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// JSON is a document column that decodes into T. It is always written as text,
// because bytes would become a BLOB on SQLite. A value that encodes to null (a
// nil map, slice or pointer) is NULL in the table. PostgreSQL keeps neither
// the order of keys nor the spacing: compare decoded values.
type JSON[T any] struct{ V T }

// Doc returns v as a document column.
func Doc[T any](v T) JSON[T] { return JSON[T]{V: v} }

// Value encodes the document as text, and null as NULL.
func (j JSON[T]) Value() (driver.Value, error) {
	data, err := json.Marshal(j.V)
	if err != nil {
		return nil, fmt.Errorf("encode document %T: %w", j.V, err)
	}
	if bytes.Equal(data, []byte("null")) {
		return nil, nil
	}
	return string(data), nil
}

// Scan decodes a JSONB or TEXT column; NULL is the zero T.
func (j *JSON[T]) Scan(src any) error {
	var fresh T
	j.V = fresh
	switch v := src.(type) {
	case nil:
		return nil
	case string:
		return j.decode([]byte(v))
	case []byte:
		return j.decode(v)
	default:
		return fmt.Errorf("scan document %T: column holds %T, want text", j.V, src)
	}
}

// MarshalJSON writes the document itself.
func (j JSON[T]) MarshalJSON() ([]byte, error) { return json.Marshal(j.V) }

// UnmarshalJSON reads the document itself.
func (j *JSON[T]) UnmarshalJSON(data []byte) error { return j.decode(data) }

func (j *JSON[T]) decode(data []byte) error {
	if err := json.Unmarshal(data, &j.V); err != nil {
		return fmt.Errorf("decode document %T: %w", j.V, err)
	}
	return nil
}

package contract

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Opt is an input that may be absent, null or a value, where null means
// something of its own, such as "clear it".
type Opt[T any] struct {
	Set  bool // the property was sent
	Null bool // it was sent as null
	V    T    // its value when it was neither absent nor null
}

// UnmarshalJSON is called only for a property that was sent.
func (o *Opt[T]) UnmarshalJSON(b []byte) error {
	o.Set = true
	if string(b) == "null" {
		o.Null = true
		return nil
	}
	return json.Unmarshal(b, &o.V)
}

// MarshalJSON writes null for an absent or null value.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.Set || o.Null {
		return []byte("null"), nil
	}
	return json.Marshal(o.V)
}

// Ptr returns the value, or nil when it is absent or null.
func (o Opt[T]) Ptr() *T {
	if !o.Set || o.Null {
		return nil
	}
	return &o.V
}

func isOpt(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[Spec]().PkgPath() && strings.HasPrefix(t.Name(), "Opt[")
}

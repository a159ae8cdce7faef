package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Lock is what a contract promised at one time: its version, and per tool a
// digest of each part that a caller may rely on. Texts are no part of it.
type Lock struct {
	Version int
	Tools   map[string]Locked // by plate.tool
}

// Locked is one tool of a Lock.
type Locked struct{ Input, Output, Errors, Hints string }

const lockHeader = "# What callers rely on, per tool: digests of its input, output, error codes and hints.\n" +
	"# Written by: make generate. A changed line needs a higher contract version.\n"

// NewLock returns what the registries promise now.
func NewLock(registries ...*Registry) Lock {
	l := Lock{Version: Version, Tools: map[string]Locked{}}
	for _, r := range registries {
		for _, t := range r.Tools() {
			l.Tools[r.Plate()+"."+t.Name] = Locked{
				Input: digest(canonical(t.Input)), Output: digest(canonical(t.Output)), Errors: digest(t.Codes()),
				Hints: digest([]any{t.ReadOnly.True(), t.Destructive.True(), t.Idempotent.True(), t.OpenWorld.True(), t.Scope, t.Surfaces}),
			}
		}
	}
	return l
}

// canonical decodes a schema, so that the order of its keys does not matter.
func canonical(raw json.RawMessage) any {
	var v any
	_ = json.Unmarshal(raw, &v) // it was compiled at the start
	return v
}

func digest(v any) string {
	text, _ := json.Marshal(v) // maps are written in the order of their keys
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// String writes the lock as its file.
func (l Lock) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%sversion %d\n", lockHeader, l.Version)
	for _, name := range slices.Sorted(maps.Keys(l.Tools)) {
		t := l.Tools[name]
		fmt.Fprintf(&b, "%s input=%s output=%s errors=%s hints=%s\n", name, t.Input, t.Output, t.Errors, t.Hints)
	}
	return b.String()
}

// ParseLock reads the file of a lock.
func ParseLock(text string) (Lock, error) {
	l := Lock{Tools: map[string]Locked{}}
	for n, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(line, "#"):
		case len(fields) == 2 && fields[0] == "version":
			version, err := strconv.Atoi(fields[1])
			if err != nil {
				return l, fmt.Errorf("line %d of the lock: %q is no version", n+1, fields[1])
			}
			l.Version = version
		case len(fields) == 5:
			var t Locked
			for i, to := range []*string{&t.Input, &t.Output, &t.Errors, &t.Hints} {
				_, *to, _ = strings.Cut(fields[i+1], "=")
			}
			l.Tools[fields[0]] = t
		default:
			return l, fmt.Errorf("line %d of the lock cannot be read", n+1)
		}
	}
	return l, nil
}

// Diff says in one line per tool what changed since the older lock, and
// whether a caller of then may break: a tool that is new breaks nobody.
func (l Lock) Diff(older Lock) (changes []string, breaking bool) {
	names := slices.Concat(slices.Collect(maps.Keys(l.Tools)), slices.Collect(maps.Keys(older.Tools)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		now, here := l.Tools[name]
		before, there := older.Tools[name]
		switch {
		case !there:
			changes = append(changes, name+": new")
		case !here:
			changes, breaking = append(changes, name+": removed"), true
		case now != before:
			changes, breaking = append(changes, name+": changed "+strings.Join(now.parts(before), ", ")), true
		}
	}
	return changes, breaking
}

func (t Locked) parts(before Locked) (list []string) {
	for _, part := range []struct{ name, now, before string }{
		{"input", t.Input, before.Input}, {"output", t.Output, before.Output}, {"errors", t.Errors, before.Errors}, {"hints", t.Hints, before.Hints},
	} {
		if part.now != part.before {
			list = append(list, part.name)
		}
	}
	return list
}

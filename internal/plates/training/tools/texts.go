package tools

import (
	"fmt"
	"slices"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// label is a set in short: 155x3, x10, 60s, 70x45s, each with " per side".
func label(r store.SetRow) string { return strength.SetLabel(r.Actual(), r.IsPerSide) }

// setLine is one set of a session in plain text.
func setLine(r store.SetRow) string {
	parts := []string{" ", r.Exercise, label(r)}
	if strength.Differs(r.Plan(), r.Actual()) {
		parts = append(parts, fmt.Sprintf("(planned %s)", strength.SetLabel(r.Plan(), r.IsPerSide)))
	}
	if r.IsWarmup {
		parts = append(parts, "warmup")
	}
	done := "not done"
	if r.IsCompleted {
		done = "done"
	}
	parts = append(parts, done)
	if r.Rpe != nil {
		parts = append(parts, fmt.Sprintf("RPE %d", *r.Rpe))
	}
	return strings.Join(parts, " ")
}

// changeOrder is the order in which changes are told: as a lifter would.
var changeOrder = []string{
	"exercise", "is_completed", "weekday", "focus", "weight", "top_weight", "percent_of_max", "sets", "reps", "reps_to", "duration_seconds", "measure",
	"is_weighted", "progression", "step_up", "step_down", "starts_here", "rpe", "is_warmup", "is_per_side", "is_barbell", "is_main",
	"rest_seconds", "warmup_rest_seconds", "position", "date", "notes", "note",
}

// changesText tells what moved: "weight 165 to 155, reps 3 to 4".
func changesText(c contract.Changed) string {
	if len(c) == 0 {
		return "nothing to change"
	}
	names := make([]string, 0, len(c))
	for name := range c {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return slices.Index(changeOrder, a) - slices.Index(changeOrder, b) })
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%s %s to %s", strings.ReplaceAll(name, "_", " "), said(c[name].From), said(c[name].To))
	}
	return strings.Join(parts, ", ")
}

func said(v any) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprint(v)
}

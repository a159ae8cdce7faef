package strength

// RowState says how a set stands against its plan.
type RowState string

// The states of a set's row.
const (
	Open      RowState = "open"
	AsPlanned RowState = "as_planned"
	Changed   RowState = "changed"
)

// RowStateOf compares a set with its plan. A completed set that never had a
// plan is as planned.
func RowStateOf(done bool, plan, actual Set) RowState {
	switch {
	case !done:
		return Open
	case Differs(plan, actual):
		return Changed
	default:
		return AsPlanned
	}
}

// Differs reports whether a set had a plan and its numbers are not that plan.
func Differs(plan, actual Set) bool {
	return plan.asksForWork() && plan != actual
}

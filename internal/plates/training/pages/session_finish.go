package pages

import (
	"strconv"
	"strings"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/web"
)

// finishedView is what a finished session was, in one sentence, and what comes
// next.
type finishedView struct {
	Was  []textPart
	Next []textPart // empty when nothing is planned
	Way  *wayOn     // nil while the block has a session left
}

// comingView is the next planned session and the set that leads it.
type comingView struct {
	WorkoutID int64
	Date      dbtype.Date
	Lift      string
	Top       string
}

// finish sums up a session whose sets are all done.
func finish(sets []setView) *finishedView {
	total := strconv.Itoa(len(sets))
	was := []textPart{words("Everything lifted: "), figure(total), words(" of "), figure(total), words(" sets")}
	if tonnage := volumeOf(sets).Tonnage; tonnage > 0 {
		was = append(was, words(", "), figure(web.Lb(tonnage)))
	}
	if lift, top := lead(sets); lift != "" {
		was = append(was, words(", "+lift+" up to "), figure(top))
	}
	return &finishedView{Was: append(was, words(". "+differences(sets)))}
}

// lead returns the first lift with a load, which is the one that a session is
// built around, and its heaviest set.
func lead(sets []setView) (lift, top string) {
	for _, group := range groupLifts(sets) {
		if work := working(group); len(work) > 0 && topOf(work).Actual.Weight > 0 {
			return group[0].Exercise, topOf(work).load()
		}
	}
	return "", ""
}

// differences says how many sets were not lifted as written, and which way
// they went when all of them went the same.
func differences(sets []setView) string {
	changed, better := 0, 0
	for _, s := range sets {
		if !s.differs() {
			continue
		}
		changed++
		if s.atLeastPlanned() {
			better++
		}
	}
	if changed == 0 {
		return "Every set went as written."
	}
	said := changedSets(changed)
	said = strings.ToUpper(said[:1]) + said[1:] + " went differently"
	if better == changed {
		said += ", for the better"
	}
	return said + "."
}

// coming says which session is next.
func (c comingView) says() []textPart {
	parts := []textPart{words("Next: "), {Text: web.WeekDay(c.Date), Href: workoutPath(c.WorkoutID)}}
	if c.Lift != "" {
		parts = append(parts, words(", "+c.Lift+" "), figure(c.Top), words(" on top"))
	}
	return append(parts, words("."))
}

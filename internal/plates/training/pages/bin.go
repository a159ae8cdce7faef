package pages

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/web"
)

// binEntry is something deleted that can be restored.
type binEntry struct {
	ID    int64
	Title string
	Date  dbtype.Date // of its workout
	Says  string      // when and by whom it was deleted
	Until string
}

func (e binEntry) path() string { return binPath(e.ID) }

func binPath(id int64) string { return "/bin/" + strconv.FormatInt(id, 10) + "/restore" }

// binView is the bin, the newest entry first.
type binView struct {
	Entries []binEntry
	Writes  bool   // the reader may restore
	Problem string // why the last one did not come back
}

func (p *pages) bin(w http.ResponseWriter, r *http.Request) error {
	return p.showBin(w, r, http.StatusOK, "")
}

func (p *pages) showBin(w http.ResponseWriter, r *http.Request, status int, problem string) error {
	v := binView{Writes: web.CallerOf(r).Has("write"), Problem: problem}
	err := p.reading(r, func(rd reader) error {
		rows, err := store.New(rd.tx).Bin(rd.ctx, rd.who.Workspace)
		for _, row := range rows {
			v.Entries = append(v.Entries, rd.binned(row))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("read the bin: %w", err)
	}
	return web.Render(w, r, status, binPage(v))
}

func (rd reader) binned(row store.BinRow) binEntry {
	zone := rd.who.Zone
	if zone == nil {
		zone = time.UTC
	}
	at := row.DeletedAt.In(zone)
	says := "Deleted on " + at.Format("Jan 2, 2006")
	if row.ClientName != nil {
		says += " by " + *row.ClientName
	}
	return binEntry{ID: row.ID, Title: row.Title, Date: row.Date, Says: says, Until: at.Add(store.BinLives).Format("Jan 2")}
}

// restore puts an entry of the bin back and goes to its workout.
func (p *pages) restore(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	entry, _ := pathID(r, "id") // one that is no id is no entry
	wire, err := p.call(r, requestID, "restore_from_bin", map[string]any{"bin_id": entry})
	if missing(err) {
		web.Flash(r.Context(), web.FlashNote, "There is no such entry in this bin. What was deleted is kept for 30 days.")
		web.Redirect(w, r, "/bin")
		return nil
	}
	if refused, shown := refusedForm(r, err); shown {
		return p.showBin(w, r, http.StatusUnprocessableEntity, refused.Refusal.Sentence())
	}
	if err != nil {
		return err
	}
	back, err := contract.Into[struct {
		WorkoutID int64 `json:"workout_id"`
	}](wire)
	if err != nil {
		return err
	}
	web.Flash(r.Context(), web.FlashDone, wire.Text)
	web.Redirect(w, r, workoutPath(back.WorkoutID))
	return nil
}

// saysDeleted leaves a word about what was deleted, with the way to take it
// back.
func (p *pages) saysDeleted(r *http.Request, kind string, object int64, sentence string) error {
	return p.reading(r, func(rd reader) error {
		entry, err := store.New(rd.tx).BinEntryOf(rd.ctx, store.BinEntryOfParams{WorkspaceID: rd.who.Workspace, Kind: kind, ObjectID: object})
		if err != nil {
			return fmt.Errorf("find %s %d in the bin: %w", kind, object, err)
		}
		web.FlashUndo(r.Context(), sentence+" It is kept in the bin for 30 days.", binPath(entry))
		return nil
	})
}

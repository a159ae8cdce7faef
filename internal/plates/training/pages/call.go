package pages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/web"
)

// plateName is how the gate knows the tools of these pages.
const plateName = "training"

// call runs one tool for the person behind the request.
func (p *pages) call(r *http.Request, requestID, tool string, args any) (contract.Wire, error) {
	text, err := contract.Encode(args)
	if err != nil {
		return contract.Wire{}, err
	}
	return p.Gate.Call(r.Context(), web.CallerOf(r), gate.Request{Plate: plateName, Tool: tool, Args: text, RequestID: requestID})
}

// callWithFile runs one tool that takes a file.
func (p *pages) callWithFile(ctx context.Context, who contract.Caller, requestID, tool string, args any, file *os.File) (contract.Wire, error) {
	text, err := contract.Encode(args)
	if err != nil {
		return contract.Wire{}, err
	}
	info, err := file.Stat()
	if err != nil {
		return contract.Wire{}, fmt.Errorf("look at an upload: %w", err)
	}
	return p.Gate.Call(ctx, who, gate.Request{
		Plate: plateName, Tool: tool, Args: text, RequestID: requestID, File: &contract.Attachment{Content: file, Size: info.Size()},
	})
}

// read turns the typed values that the tool takes into its arguments, by name.
// Others are ignored; a value that is no number is refused with its label.
func (p *pages) read(tool string, typed url.Values) (map[string]any, error) {
	registry, ok := p.Gate.Registry(plateName)
	if !ok {
		return nil, errors.New("the training plate is not registered")
	}
	t, err := registry.Tool(tool, contract.OverWeb)
	if err != nil {
		return nil, err
	}
	text, err := t.FromText(typed)
	if err != nil {
		return nil, err
	}
	args := map[string]any{}
	return args, json.Unmarshal(text, &args)
}

// pathID reads an id of the address; false means that there is nothing of that
// id, whatever was written.
func pathID(r *http.Request, name string) (int64, bool) {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	return n, err == nil && n > 0
}

// missing reports whether the error says that the row is not there.
func missing(err error) bool {
	r, ok := errors.AsType[*fault.Refusal](err)
	return ok && r.Kind == fault.NotFound
}

// noWorkout leads away from the address of a workout that this workspace does
// not have. Unknown, malformed and foreign ids get the same words, so they say
// nothing about the rows of others.
func noWorkout(w http.ResponseWriter, r *http.Request) error {
	web.Flash(r.Context(), web.FlashNote, "There is no such workout in this workspace.")
	return toList(w, r)
}

// noRow is noWorkout for addresses that may name a set as well.
func noRow(w http.ResponseWriter, r *http.Request) error {
	if r.PathValue("sid") == "" {
		return noWorkout(w, r)
	}
	web.Flash(r.Context(), web.FlashNote, "There is no such set in this workspace.")
	return toList(w, r)
}

// toList leads to the workouts.
func toList(w http.ResponseWriter, r *http.Request) error {
	web.Redirect(w, r, "/workouts")
	return nil
}

// errNoRow is what the readers return for an id that this workspace does not
// have; the handlers turn it into noWorkout or noRow.
var errNoRow = fault.Missing("There is no such row in this workspace.")

// only keeps the blank-free values of the named fields.
func only(typed url.Values, names ...string) url.Values {
	kept := url.Values{}
	for _, name := range names {
		if text := typed.Get(name); text != "" {
			kept.Set(name, strings.ReplaceAll(text, "\r\n", "\n")) // a form ends its lines as mail does
		}
	}
	return kept
}

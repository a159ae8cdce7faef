package oauth

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"tectonic/internal/bedrock/fault"
)

// failure is an error answer of the protocol (RFC 6749 section 5.2).
type failure struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`

	status int           // 0 = 400
	wait   time.Duration // for Retry-After
	basic  bool          // the client tried HTTP Basic, so the answer names the scheme
}

// Error returns the code and what it means.
func (f failure) Error() string { return f.Code + ": " + f.Description }

func (f failure) send(w http.ResponseWriter) {
	if f.status == 0 {
		f.status = http.StatusBadRequest
	}
	if f.wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((f.wait+time.Second-1)/time.Second)))
	}
	if f.basic {
		w.Header().Set("WWW-Authenticate", `Basic realm="tectonic"`)
	}
	sendJSON(w, f.status, f)
}

// sendError answers with the failure in err, or as a fault of ours that is
// logged and not told.
func (s *Server) sendError(w http.ResponseWriter, r *http.Request, err error) {
	s.asFailure(r, err).send(w)
}

func (s *Server) asFailure(r *http.Request, err error) failure {
	if f, ok := errors.AsType[failure](err); ok {
		return f
	}
	s.o.Log.ErrorContext(r.Context(), "authorization server", "path", r.URL.Path, "error", fault.Redact(err.Error()))
	if refusal, ok := errors.AsType[*fault.Refusal](err); ok && refusal.Kind == fault.Unavailable {
		return failure{Code: "temporarily_unavailable", Description: refusal.Sentence(), status: http.StatusServiceUnavailable, wait: time.Second}
	}
	return failure{Code: "server_error", Description: "The server failed unexpectedly. Please try again.", status: http.StatusInternalServerError}
}

func sendJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, "encode the answer", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	w.Write(text)
}

// sendMetadata answers with a document that may be cached for a while.
func sendMetadata(w http.ResponseWriter, doc any) {
	w.Header().Set("Cache-Control", "public, max-age=300")
	sendJSON(w, http.StatusOK, doc)
}

// preflight lets scripts of every origin in: these addresses read no cookie.
func preflight(method string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", method+", OPTIONS")
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, MCP-Protocol-Version")
		h.Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
	}
}

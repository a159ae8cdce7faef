package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tectonic/internal/probe"
	"tectonic/internal/testkit/product"
)

func TestDoctorProbesAServer(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t))
	token := p.Person(t, "lifter@example.com").Token("read")

	out, errs, code := run(t, token+"\n", "doctor --token - "+p.Server.URL+"/mcp")
	for _, line := range []string{p.Server.URL + "/mcp\n", "ok    P24 P26  the address answers", "ok    P30      a call of whoami", " 0 failed, 2 skipped.", "4 registrations named"} {
		if !strings.Contains(out, line) {
			t.Errorf("%q is missing in:\n%s", line, out)
		}
	}
	if code != 0 || errs != "" || strings.Contains(out, token) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

func TestDoctorSaysWhatToChange(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t))
	out, errs, code := run(t, "", "doctor --origin http://localhost:6274/ "+p.Server.URL+"/mcp")
	if code != 1 || errs != "tectonic: 2 thing(s) to mend\n" {
		t.Errorf("exit %d: %s", code, errs)
	}
	if !strings.Contains(out, "FAIL  P21 ") || !strings.Contains(out, "\n               Add http://localhost:6274 to MCP_ALLOWED_ORIGINS.\n") {
		t.Error(out)
	}
}

func TestDoctorReportsAsJSON(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t))
	var r probe.Report
	if err := json.Unmarshal([]byte(must(t, "", "doctor --json "+p.Server.URL)), &r); err != nil {
		t.Fatal(err)
	}
	if r.URL != p.Server.URL+"/mcp" || r.Failed != 0 || len(r.Checks) != r.Passed+r.Skipped || r.ClientName != probe.ClientName {
		t.Errorf("got %+v", r)
	}
}

func TestDoctorRefusesWhatItCannotProbe(t *testing.T) {
	t.Parallel()
	for command, says := range map[string]string{
		"doctor log.example": "is no address of a server",
		"doctor a b":         "takes one argument",
		"doctor --token - http://127.0.0.1:1/mcp": "No token on standard input",
	} {
		if out, errs, code := run(t, "", command); code == 0 || !strings.Contains(errs, says) {
			t.Errorf("%s: exit %d: %s%s", command, code, out, errs)
		}
	}
}

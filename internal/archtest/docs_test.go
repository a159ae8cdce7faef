package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)|src="([^"]+)"`)

// A document that points at a file points at one that is there.
func TestDocumentsLinkToFilesThatExist(t *testing.T) {
	t.Parallel()
	documents := []string{"../../README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md"}
	err := filepath.WalkDir("../../docs", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			documents = append(documents, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		for _, m := range link.FindAllStringSubmatch(read(t, document), -1) {
			target := m[1] + m[2]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", document, target)
			}
		}
	}
}

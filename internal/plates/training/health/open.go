package health

import (
	"archive/zip"
	"fmt"
	"io"
	"path"
	"strings"
)

const (
	// longestStretch is how many bytes may lie between one reading of a file
	// and the next, so that a file which is no export cannot fill the memory.
	longestStretch = 1 << 20

	// mostPacking is how many bytes a byte of an archive may stand for. XML
	// of Apple Health packs to about a twentieth.
	mostPacking = 200
)

// Open returns what a file holds: of an archive of Apple Health its
// export.xml, of every other file its own bytes.
func Open(content io.ReaderAt, size int64) (io.ReadCloser, error) {
	whole := io.NewSectionReader(content, 0, size)
	var start [4]byte
	n, _ := content.ReadAt(start[:], 0) // a file too short to be an archive is read as it is
	if string(start[:n]) != "PK\x03\x04" {
		return io.NopCloser(whole), nil
	}
	archive, err := zip.NewReader(content, size)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrZip, err)
	}
	for _, f := range archive.File {
		if strings.EqualFold(path.Base(f.Name), "export.xml") {
			return unpack(f)
		}
	}
	return nil, ErrZip
}

func unpack(f *zip.File) (io.ReadCloser, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrZip, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{&limited{r, int64(f.CompressedSize64)*mostPacking + longestStretch}, r}, nil
}

// limited ends with ErrBomb where a file is longer than it can honestly be.
type limited struct {
	from io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, ErrBomb
	}
	return n, err
}

// stretch ends with ErrLine where the next reading does not come.
type stretch struct {
	from io.Reader
	done int
}

func (s *stretch) restart() { s.done = 0 }

func (s *stretch) Read(p []byte) (int, error) {
	if s.done > longestStretch {
		return 0, ErrLine
	}
	n, err := s.from.Read(p)
	s.done += n
	return n, err
}

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// Uploads keeps the files of imports between the page that previews one and
// the form that brings it in, so that nobody picks a file twice and no page
// carries it along. A file lies in the data folder under a random name, in a
// folder of the one person and workspace that sent it; nobody else finds it,
// and the browser is trusted with the name only. It goes when it is brought
// in, or after an hour. A server that shares no folder with the one that took
// the file does not find it; the form then asks for it again.
type Uploads struct {
	Dir string // made when the first file comes; "" = a new one among the system's temporary files

	temporary sync.Once
	failed    error
}

// open makes the folder of all files, when nothing has yet.
func (u *Uploads) open() error {
	u.temporary.Do(func() {
		if u.Dir == "" {
			u.Dir, u.failed = os.MkdirTemp("", "tectonic-uploads-")
		}
	})
	return u.failed
}

const (
	uploadLife  = time.Hour
	uploadsEach = 3       // files that wait for one person; the oldest gives way
	uploadsAll  = 1 << 30 // bytes that wait on the whole server
	uploadToken = 20      // random bytes of a name
	filePrivate = 0o600   // health data is nobody else's
	dirPrivate  = 0o700
)

var uploadName = regexp.MustCompile(`^[a-z2-7]{32}$`)

// Keep stores a file for the caller and returns the name that Open takes. A
// file over the limit in bytes is refused as too large, with nothing kept.
func (u *Uploads) Keep(ctx context.Context, who contract.Caller, file io.Reader, limit int64) (name string, err error) {
	if err := u.open(); err != nil {
		return "", fmt.Errorf("make a folder for uploads: %w", err)
	}
	if _, err := u.Sweep(ctx); err != nil {
		return "", err
	}
	if err := u.room(limit); err != nil {
		return "", err
	}
	dir := u.folder(who)
	if err := os.MkdirAll(dir, dirPrivate); err != nil {
		return "", fmt.Errorf("make the folder of uploads: %w", err)
	}
	if err := dropOldest(dir, uploadsEach-1); err != nil {
		return "", err
	}
	name = id.Token(uploadToken)
	if err := writeNew(filepath.Join(dir, name), file, limit); err != nil {
		return "", err
	}
	return name, nil
}

// writeNew writes a file that must not exist yet; a failed one is removed.
func writeNew(path string, file io.Reader, limit int64) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, filePrivate)
	if err != nil {
		return fmt.Errorf("keep an upload: %w", err)
	}
	n, err := io.Copy(out, io.LimitReader(file, limit+1))
	if err = errors.Join(err, out.Close()); err == nil && n > limit {
		err = &fault.Refusal{Kind: fault.TooLarge, Code: fault.CodeTooLarge, Message: "The file is larger than " + Bytes(limit) + ", so it was not read."}
	}
	if err != nil {
		_ = os.Remove(path) // the first error says more
	}
	return err
}

// Open returns a file that the caller kept. One that is gone, expired or of
// somebody else is refused as not found.
func (u *Uploads) Open(who contract.Caller, name string) (*os.File, error) {
	gone := fault.Missing("The file is no longer here. Choose it again.").At("file")
	if u.open() != nil || !uploadName.MatchString(name) {
		return nil, gone
	}
	file, err := os.Open(filepath.Join(u.folder(who), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, gone
	}
	if err != nil {
		return nil, fmt.Errorf("open an upload: %w", err)
	}
	if info, err := file.Stat(); err != nil || time.Since(info.ModTime()) > uploadLife {
		_ = file.Close() // it was only looked at
		return nil, gone
	}
	return file, nil
}

// Drop removes a file that was brought in. One that is gone already is fine.
func (u *Uploads) Drop(who contract.Caller, name string) error {
	if err := u.open(); err != nil {
		return err
	}
	if !uploadName.MatchString(name) {
		return nil // nothing was ever kept under it
	}
	if err := os.Remove(filepath.Join(u.folder(who), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("drop an upload: %w", err)
	}
	return nil
}

// Sweep removes the files that waited too long and returns how many.
func (u *Uploads) Sweep(context.Context) (int64, error) {
	var swept int64
	err := u.each(func(path string, info fs.FileInfo) error {
		if time.Since(info.ModTime()) <= uploadLife {
			return nil
		}
		swept++
		return ignoreMissing(os.Remove(path))
	})
	return swept, err
}

// room refuses a file when too many wait already.
func (u *Uploads) room(limit int64) error {
	var waiting int64
	err := u.each(func(_ string, info fs.FileInfo) error {
		waiting += info.Size()
		return nil
	})
	if err == nil && waiting+limit > uploadsAll {
		return &fault.Refusal{Kind: fault.Unavailable, Code: fault.CodeDBUnavailable, Message: "Too many files wait to be imported right now.", Remedy: "Try again in an hour."}
	}
	return err
}

// each calls fn for every file that waits.
func (u *Uploads) each(fn func(path string, info fs.FileInfo) error) error {
	if err := u.open(); err != nil {
		return fmt.Errorf("make a folder for uploads: %w", err)
	}
	err := filepath.WalkDir(u.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return ignoreMissing(err)
		}
		info, err := entry.Info()
		if err != nil {
			return ignoreMissing(err)
		}
		return fn(path, info)
	})
	if err != nil {
		return fmt.Errorf("look through the uploads: %w", err)
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// dropOldest removes all but the newest files of a folder.
func dropOldest(dir string, keep int) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("look through the uploads: %w", err)
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return changed(b).Compare(changed(a)) })
	for _, old := range entries[min(keep, len(entries)):] {
		if err := ignoreMissing(os.Remove(filepath.Join(dir, old.Name()))); err != nil {
			return fmt.Errorf("drop an old upload: %w", err)
		}
	}
	return nil
}

func changed(e os.DirEntry) time.Time {
	info, err := e.Info()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

func (u *Uploads) folder(who contract.Caller) string {
	return filepath.Join(u.Dir, fmt.Sprintf("%d-%d", who.Workspace, who.Account))
}

package benchmark

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/testkit"
	"tectonic/internal/testkit/product"
)

const importedSets = 100_000

// strongYears is the export of a lifter with that many sets: twenty-five a
// day, of five movements.
func strongYears(sets int) []byte {
	var b bytes.Buffer
	b.WriteString("Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,Workout Notes,RPE\n")
	day := time.Date(2012, time.January, 2, 18, 30, 0, 0, time.UTC)
	for n := 0; n < sets; day = day.AddDate(0, 0, 1) {
		for _, movement := range []string{"Squat (Barbell)", "Bench Press (Barbell)", "Deadlift (Barbell)", "Lat Pulldown (Cable)", "Bicep Curl (Dumbbell)"} {
			for set := range 5 {
				fmt.Fprintf(&b, "%s,Evening Workout,1h 5m,%s,%d,%.1f,5.0,0,0.0,,,%d\n", day.Format(time.DateTime), movement, set+1, 40+2.5*float64(n/100%40), 6+set%4)
				n++
			}
		}
	}
	return b.Bytes()
}

// BenchmarkImportHistory imports 100,000 sets through the gate. Beside the
// time it tells the largest resident memory of the process.
func BenchmarkImportHistory(b *testing.B) {
	catalog := app.Catalog()
	file := strongYears(importedSets)
	testkit.EachBench(b, app.Lines(catalog), app.Setup(catalog), func(b *testing.B, d *db.DB) {
		p := product.New(b, d)
		var most atomic.Int64
		stop := watchMemory(&most)
		defer stop()
		n := 0
		for b.Loop() {
			b.StopTimer()
			n++
			who := p.Person(b, fmt.Sprintf("lifter%d@example.com", n))
			b.StartTimer()
			wire, err := p.Gate.Call(context.WithoutCancel(b.Context()), who.Caller, gate.Request{
				Plate: "training", Tool: "import_history", Args: []byte(`{"file_name":"strong.csv","unit":"kg"}`),
				File: &contract.Attachment{Content: bytes.NewReader(file), Size: int64(len(file))},
			})
			if err != nil || !strings.Contains(wire.Text, "100000 sets added") {
				b.Fatalf("%v: %s", err, wire.Text)
			}
		}
		b.ReportMetric(float64(most.Load())/(1<<20), "MiB-resident")
	})
}

// watchMemory keeps the largest resident memory in bytes until stop is called.
// Where the system does not tell, it is what Go took from the system.
func watchMemory(most *atomic.Int64) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			if now := resident(); now > most.Load() {
				most.Store(now)
			}
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() { close(done); <-ended }
}

func resident() int64 {
	var size, pages int64
	text, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		_, err = fmt.Sscan(string(text), &size, &pages)
	}
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.Sys)
	}
	return pages * int64(os.Getpagesize())
}

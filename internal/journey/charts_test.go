//go:build browser

package journey

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/chromedp/chromedp"

	"tectonic/internal/testkit/product"
)

// A lifter with eleven weeks behind them, a goal, a block under way and two
// scales asks whether it is going up: on paper-like pages, on every screen.
func TestReadTheCharts(t *testing.T) {
	t.Parallel()
	p := serve(t)
	me := p.Person(t, "mira@lifter.example")
	block := history(t, me)
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			b := open(t, p.Server.URL, s, true)
			b.visit("/login")
			b.signIn(me)
			b.do(chromedp.WaitReady(chromedp.CSS("#month-h")))
			b.readPages(block)
		})
	}
	t.Run("320", func(t *testing.T) {
		b := open(t, p.Server.URL, screen{"narrow", 320, 640, true, false}, true)
		b.visit("/login")
		b.signIn(me)
		b.do(chromedp.WaitReady(chromedp.CSS("#month-h")))
		b.readPages(block)
	})
}

func (b *tab) readPages(block int64) {
	b.t.Helper()
	for _, page := range []struct{ path, name, sees string }{
		{"/exercises/1", "exercise-history", "Heaviest weight each day"},
		{"/volume", "volume", "Weeks trained"},
		{"/volume?weeks=52", "", "Weeks trained"},
		{"/volume?weeks=26&exercise_id=1", "", "Top set each week"},
		{fmt.Sprintf("/programs/%d/progress", block), "progress", "Why this weight"},
		{"/goals", "goals", "Before"},
		{"/health", "health", "calipers"},
		{"/health/import", "health-import", "Time zone"},
	} {
		b.visit(page.path)
		b.sees(page.sees)
		if page.name != "" && b.width > 320 {
			b.shot(page.name)
		}
		b.accessible()
		b.noSidewaysScroll()
	}
}

// history writes what eleven weeks left behind, and returns the block.
func history(t *testing.T, me *product.Person) int64 {
	today := time.Now().UTC()
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	for week := 11; week >= 4; week-- {
		if week == 7 {
			continue // a week off
		}
		day := monday.AddDate(0, 0, -7*week)
		squat := 135 + 5*(11-week)
		for set := range 4 {
			log(me, day, "Back Squat", squat-15+5*set, 3, 7+set/2)
		}
		for set := range 3 {
			log(me, day, "Bench Press", 100+5*(set+(11-week)/3), 8, 8)
		}
		log(me, day.AddDate(0, 0, 2), "Deadlift", 185+5*(11-week), 5, 8)
		log(me, day.AddDate(0, 0, 2), "Overhead Press", 70+5*((11-week)/3), 5, 8)
		log(me, day.AddDate(0, 0, 2), "Barbell Row", 95, 8, 0)
		log(me, day.AddDate(0, 0, 2), "Barbell Curl", 50, 10, 0)
		me.Must("create_set", map[string]any{"exercise": "Plank", "date": day.Format(time.DateOnly), "duration_seconds": 60, "is_completed": true})
	}
	block := int64(me.Must("seed_program", map[string]any{"start": monday.AddDate(0, 0, -14).Format(time.DateOnly)})["id"].(float64))
	for week := 1; week <= 3; week++ {
		out := me.Must("generate_program_week", map[string]any{"program_id": block, "week": week})
		for _, w := range out["workouts"].([]any) {
			lift(me, int64(w.(map[string]any)["id"].(float64)), week)
		}
	}
	me.Must("set_goal", map[string]any{"exercise": "Back Squat", "target_weight": 190})
	me.Must("set_goal", map[string]any{"exercise": "Back Squat", "target_weight": 205, "target_date": today.AddDate(0, 4, 0).Format(time.DateOnly)})
	me.Must("set_goal", map[string]any{"exercise": "Bench Press", "target_weight": 115, "target_reps": 8, "note": "Paused on the chest."})
	readings(t, me, today)
	return block
}

func log(me *product.Person, day time.Time, exercise string, weight, reps, rpe int) {
	args := map[string]any{"exercise": exercise, "date": day.Format(time.DateOnly), "weight": weight, "reps": reps, "is_completed": true}
	if rpe > 0 {
		args["rpe"] = rpe
	}
	me.Must("create_set", args)
}

// lift does a written workout; the top of the second week falls one rep short,
// and the third week is left as it was written.
func lift(me *product.Person, workout int64, week int) {
	if week == 3 {
		return
	}
	sets := me.Must("get_workout", map[string]any{"workout_id": workout})["set_list"].([]any)
	for i, s := range sets {
		set := s.(map[string]any)
		args := map[string]any{"set_id": set["id"], "rpe": 8}
		if reps, ok := set["reps"].(float64); ok && week == 2 && i == 7 {
			args["reps"] = reps - 1
		}
		me.Must("complete_set", args)
	}
}

// readings are two scales and a caliper.
func readings(t *testing.T, me *product.Person, today time.Time) {
	scale := []string{"measured_at,metric,value,unit,source"}
	for day := 60; day >= 0; day-- {
		if day%9 == 4 || day > 30 && day < 42 {
			continue
		}
		at := today.AddDate(0, 0, -day).Truncate(24 * time.Hour).Add(7*time.Hour + 11*time.Minute).Format(time.RFC3339)
		scale = append(scale,
			fmt.Sprintf("%s,bodyweight,%.1f,lb,Bathroom", at, 181.4-float64(60-day)/60+float64(day*7%5)/4),
			fmt.Sprintf("%s,body_fat_percent,%.1f,%%,Bathroom", at, 26.4+float64(day*3%4)/2),
		)
	}
	browser := me.Browser()
	preview := browser.Upload("/health/import", nil, "file", "scale.csv", strings.Join(scale, "\n"), http.StatusOK).Page(t)
	form := url.Values{"do": {"import"}}
	preview.Find("main form").First().Find("input[type=hidden]").Each(func(_ int, input *goquery.Selection) {
		form.Set(input.AttrOr("name", ""), input.AttrOr("value", ""))
	})
	browser.Post("/health/import", form, http.StatusSeeOther)
	me.Must("add_health_reading", map[string]any{"metric": "body_fat_percent", "value": "24.1", "unit": "%", "source": "calipers", "measured_at": today.AddDate(0, 0, -3).Format(time.RFC3339)})
}

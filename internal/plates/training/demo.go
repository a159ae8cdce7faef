package training

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/plates/training/tools"
)

// demo writes what a newcomer meets: Block 0 with its first session still to
// be lifted, and behind it a block of six weeks that was, so that every chart
// has something to show. Everything goes through the gate, as a lifter's own.
type demo struct {
	gate *gate.Gate
	who  contract.Caller
}

func (d demo) call(ctx context.Context, tool string, args any, file *contract.Attachment) (contract.Wire, error) {
	text, err := contract.Encode(args)
	if err != nil {
		return contract.Wire{}, err
	}
	wire, err := d.gate.Call(ctx, d.who, gate.Request{Plate: "training", Tool: tool, Args: text, File: file})
	if err != nil {
		return wire, fmt.Errorf("write the demo, %s: %w", tool, err)
	}
	return wire, nil
}

type fields = map[string]any

func (d demo) write(ctx context.Context, today dbtype.Date) error {
	block, err := ask[tools.SeedProgramOut](ctx, d, "seed_program", fields{"start": comingMonday(today)})
	if err != nil {
		return err
	}
	if _, err := d.call(ctx, "generate_program_week", fields{"program_id": block.ID, "week": 1}, nil); err != nil {
		return err
	}
	if err := d.writeLifted(ctx, comingMonday(today.AddDays(-6)).AddDays(-7*liftedWeeks)); err != nil {
		return err
	}
	for lift, target := range map[string]int{"Back Squat": 205, "Deadlift": 275} {
		if _, err := d.call(ctx, "set_goal", fields{"exercise": lift, "target_weight": target, "target_date": today.AddDays(90)}, nil); err != nil {
			return err
		}
	}
	return d.writeReadings(ctx, today)
}

// comingMonday returns the Monday on or after the day, so that a newcomer on a
// Thursday meets a session to lift and not one that was missed.
func comingMonday(day dbtype.Date) dbtype.Date {
	ahead := (int(time.Monday) - int(day.Weekday()) + 7) % 7
	return day.AddDays(ahead)
}

// ask calls a tool and reads its answer.
func ask[T any](ctx context.Context, d demo, tool string, args any) (out T, err error) {
	wire, err := d.call(ctx, tool, args, nil)
	if err != nil {
		return out, err
	}
	return contract.Into[T](wire)
}

// made is the id of a new row.
type made struct {
	ID int64 `json:"id"`
}

const liftedWeeks = 6

// writeLifted writes a block and lifts it, week after week.
func (d demo) writeLifted(ctx context.Context, start dbtype.Date) error {
	lift := func(name string, sets, reps, top int) fields {
		return fields{"exercise": name, "sets": sets, "reps": reps, "top_weight": top}
	}
	days := []fields{
		{"weekday": 1, "focus": "Squat and push", "lifts": []fields{lift("Back Squat", 3, 5, 135), lift("Bench Press", 3, 5, 125), lift("Overhead Press", 3, 8, 70)}},
		{"weekday": 4, "focus": "Pull", "lifts": []fields{lift("Deadlift", 2, 5, 205), lift("Barbell Row", 3, 8, 95)}},
	}
	weeks := make([]fields, liftedWeeks)
	for i := range weeks {
		weeks[i] = fields{"days": days, "is_deload": i == 3}
	}
	block, err := ask[made](ctx, d, "create_program", fields{"name": "Six weeks", "start_date": start, "weeks": weeks})
	if err != nil {
		return err
	}
	for week := 1; week <= liftedWeeks; week++ {
		written, err := ask[tools.GenerateProgramWeekOut](ctx, d, "generate_program_week", fields{"program_id": block.ID, "week": week})
		if err != nil {
			return err
		}
		for _, w := range written.Workouts {
			if err := d.lift(ctx, w.ID, week); err != nil {
				return err
			}
		}
	}
	return nil
}

// lift completes a session. The press of the second week falls short of its
// repetitions, as it happens.
func (d demo) lift(ctx context.Context, workout int64, week int) error {
	session, err := ask[tools.GetWorkoutOut](ctx, d, "get_workout", fields{"workout_id": workout})
	if err != nil {
		return err
	}
	for _, s := range session.SetList {
		did := fields{"set_id": s.ID}
		if !s.IsWarmup {
			did["rpe"] = 7 + (week+int(s.Position))%3
			if s.Exercise == "Overhead Press" && week == 2 {
				did["reps"] = 6
			}
		}
		if _, err := d.call(ctx, "complete_set", did, nil); err != nil {
			return err
		}
	}
	_, err = d.call(ctx, "rate_workout", fields{"workout_id": workout, "rpe": 7 + week%3}, nil)
	return err
}

// writeReadings writes two months of a scale's mornings, with some days off.
func (d demo) writeReadings(ctx context.Context, today dbtype.Date) error {
	var file bytes.Buffer
	fmt.Fprintln(&file, "measured_at,metric,value,unit,source")
	for ago := 60; ago > 0; ago-- {
		if ago%7 == 3 {
			continue
		}
		swing := float64(ago*37%11-5) / 10 // lb, neither regular nor random
		at := today.AddDays(-ago).Time().Add(7 * time.Hour).Format(time.RFC3339)
		fmt.Fprintf(&file, "%s,bodyweight,%.1f,lb,Bathroom\n%s,body_fat_percent,%.1f,%%,Bathroom\n", at, 181-float64(60-ago)/40+swing, at, 21+swing)
	}
	_, err := d.call(ctx, "import_health", fields{"file_name": "bathroom.csv", "format": "csv"}, &contract.Attachment{
		Content: bytes.NewReader(file.Bytes()), Size: int64(file.Len()),
	})
	return err
}

package tools

import "tectonic/internal/bedrock/contract"

// All returns the tools of the plate in the order of their descriptions:
// those of the published contract first, then those that only pages and the
// command line need. The links that assistants are given begin with base.
func All(base string) []contract.Tool {
	return []contract.Tool{
		Whoami(),
		ListExercises(),
		CreateExercise(),
		CreateWorkout(),
		UpdateWorkout(),
		CreateSet(),
		CompleteSet(),
		UpdateSet(),
		DeleteSet(),
		RateWorkout(),
		ListWorkouts(),
		GetWorkout(),
		ExerciseHistory(),
		SetGoal(),
		BlockProgress(),
		HealthReadings(),
		BodyweightTrend(),
		BodyComposition(),
		ListPrograms(),
		GetProgram(),
		CreateProgram(),
		AddProgramWeek(),
		AddProgramDay(),
		UpdateProgramDay(),
		AddProgramLift(),
		UpdateProgramLift(),
		DeleteProgramLift(),
		GenerateProgramWeek(),
		Search(base),
		Fetch(base),

		DeleteWorkout(),
		RestoreFromBin(),
		SwapLift(),
		RepeatWorkout(),
		UpdateExercise(),
		SeedProgram(),
		SaveRack(),
		SaveTrainingSettings(),
		ImportHealth(),
		UndoHealthImport(),
		PreviewHistoryImport(),
		ImportHistory(),
		UndoHistoryImport(),
		AddHealthReading(),
		SetLiftExtras(),
		SaveProgramLift(),
		AddLiftRow(),
		UpdateProgram(),
		UpdateProgramWeek(),
		DeleteProgramWeek(),
		DeleteProgramDay(),
		ArchiveProgram(),
		DeleteProgram(),
		PreviewProgramWeek(),
		ExportProgram(),
		ImportProgram(),
	}
}

// pagesOnly leaves assistants and scripts out.
const pagesOnly = contract.OnWeb | contract.OnCLI

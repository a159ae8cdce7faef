package tools

import "tectonic/internal/bedrock/contract"

// All returns the tools of the plate in the order of their descriptions:
// those of the published contract first, then those that only pages and the
// command line need.
func All() []contract.Tool {
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

		DeleteWorkout(),
		UpdateExercise(),
		SeedProgram(),
		SaveRack(),
		SaveTrainingSettings(),
	}
}

// pagesOnly leaves assistants and scripts out.
const pagesOnly = contract.OnWeb | contract.OnCLI

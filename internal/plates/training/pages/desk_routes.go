package pages

import "tectonic/internal/web"

// deskRoutes are the pages that are read and filled in at a desk: movements,
// blocks, equipment and settings.
func deskRoutes(p *pages) []web.Route {
	return []web.Route{
		{Pattern: "GET /exercises", Handler: web.Member(p.exercises)},
		{Pattern: "POST /exercises", Handler: web.Member(p.saveExercise)},
		{Pattern: "GET /exercises/new", Handler: web.Member(p.newExercise)},
		{Pattern: "GET /exercises/{id}", Handler: web.Member(p.exercise)},
		{Pattern: "GET /exercises/{id}/edit", Handler: web.Member(p.editExercise)},

		{Pattern: "GET /programs", Handler: web.Member(p.blocks)},
		{Pattern: "POST /programs/block-0", Handler: web.Member(p.writeBlock0)},
		{Pattern: "GET /programs/{id}", Handler: web.Member(p.block)},
		{Pattern: "POST /programs", Handler: web.Member(p.newBlock)},
		{Pattern: "POST /programs/import", Handler: web.Member(p.takeBlock)},
		{Pattern: "GET /programs/{id}/share.json", Handler: web.Member(p.shareBlock)},
		{Pattern: "POST /programs/{id}/archive", Handler: web.Member(p.editing(p.archiveBlock))},
		{Pattern: "GET /programs/{id}/delete", Handler: web.Member(p.askParting(wholeBlock))},
		{Pattern: "POST /programs/{id}/delete", Handler: web.Member(p.part(wholeBlock))},
		{Pattern: "GET /programs/{id}/weeks/{n}/preview", Handler: web.Member(p.previewWeek)},
		{Pattern: "GET /programs/{id}/weeks/{n}/sheet", Handler: web.Member(p.sheet)},
		{Pattern: "GET /programs/{id}/weeks/{n}/delete", Handler: web.Member(p.askParting(oneWeek))},
		{Pattern: "POST /programs/{id}/weeks/{n}/delete", Handler: web.Member(p.part(oneWeek))},
		{Pattern: "GET /programs/{id}/days/{did}/delete", Handler: web.Member(p.askParting(oneDay))},
		{Pattern: "POST /programs/{id}/days/{did}/delete", Handler: web.Member(p.part(oneDay))},
		{Pattern: "POST /programs/{id}", Handler: web.Member(p.editing(p.saveBlock))},
		{Pattern: "POST /programs/{id}/weeks", Handler: web.Member(p.editing(p.addWeek))},
		{Pattern: "POST /programs/{id}/weeks/{n}", Handler: web.Member(p.editing(p.saveWeek))},
		{Pattern: "POST /programs/{id}/days", Handler: web.Member(p.editing(p.addDay))},
		{Pattern: "POST /programs/{id}/days/{did}", Handler: web.Member(p.editing(p.saveDay))},
		{Pattern: "POST /programs/{id}/lifts", Handler: web.Member(p.editing(p.addLift))},
		{Pattern: "POST /programs/{id}/lifts/{lid}", Handler: web.Member(p.editing(p.saveLift))},
		{Pattern: "POST /programs/{id}/lifts/{lid}/delete", Handler: web.Member(p.editing(p.deleteLift))},
		{Pattern: "POST /programs/{id}/generate", Handler: web.Member(p.generateWeek)},

		{Pattern: "GET /volume", Handler: web.Member(p.volume)},
		{Pattern: "GET /programs/{id}/progress", Handler: web.Member(p.progress)},
		{Pattern: "GET /goals", Handler: web.Member(p.goals)},
		{Pattern: "POST /goals", Handler: web.Member(p.saveGoal)},

		{Pattern: "GET /health", Handler: web.Member(p.health)},
		{Pattern: "POST /health/readings", Handler: web.Member(p.addReading)},
		{Pattern: "GET /health/import", Handler: web.Member(p.importForm)},
		{Pattern: "POST /health/import", Handler: web.BodyLimit(largestForm, web.Stream(web.Member(p.importReadings)))},
		{Pattern: "GET /health/imports/{id}/delete", Handler: web.Member(p.askUndoImport)},
		{Pattern: "POST /health/imports/{id}/delete", Handler: web.Stream(web.Member(p.undoImport))},

		{Pattern: "GET /athletes", Handler: web.Member(p.athletes)},
		{Pattern: "GET /import", Handler: web.Member(p.pastForm)},
		{Pattern: "POST /import", Handler: web.BodyLimit(largestForm, web.Stream(web.Member(p.importPast)))},
		{Pattern: "GET /import/{id}", Handler: web.Member(p.pastImport)},
		{Pattern: "POST /import/{id}/undo", Handler: web.Stream(web.Member(p.undoPastImport))},

		{Pattern: "GET /equipment", Handler: web.Member(p.equipment)},
		{Pattern: "POST /equipment", Handler: web.Member(p.saveEquipment)},

		{Pattern: "GET /settings/training", Handler: web.Member(p.trainingSettings)},
		{Pattern: "POST /settings/training", Handler: web.Member(p.saveTrainingSettings)},
	}
}

package tools

import (
	"context"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
)

// ImportProgramIn is a document that export_program wrote, with another name
// or first day where they are given.
type ImportProgramIn struct {
	Document  string  `json:"document" label:"Block"`
	Name      *string `json:"name"`
	StartDate *string `json:"start_date" label:"Date" doc:"'today' or YYYY-MM-DD"`
}

// ImportProgram writes a block from a document.
func ImportProgram() contract.Tool {
	return contract.New(contract.Spec{
		Name: "import_program", Title: "Take in a block", Scope: "write", Surfaces: pagesOnly,
		Says:     "Write a block from a JSON document of export_program, or from any input of create_program. name and start_date replace those of the document. All of it is written or nothing. Returns the block with all ids.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeRefused},
		Why:    "A second block with the same name and number is refused, so repeating writes nothing more.",
		Narrow: "Take in a smaller block and add to it.",
	}, importProgram)
}

func importProgram(ctx context.Context, tx *db.Tx, who contract.Caller, in ImportProgramIn) (contract.Answer[Program], error) {
	var none contract.Answer[Program]
	doc, err := readDocument(in.Document)
	if err == nil {
		err = doc.check()
	}
	if err != nil {
		return none, err
	}
	if in.Name != nil && strings.TrimSpace(*in.Name) != "" {
		doc.Name = *in.Name
	}
	if in.StartDate != nil {
		doc.StartDate = in.StartDate
	}
	return createProgram(ctx, tx, who, doc.input())
}

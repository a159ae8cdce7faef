package app

import (
	"tectonic/internal/bedrock/plate"
	"tectonic/internal/plates/training"
)

// plates lists what this binary serves, in menu order.
func plates(bed plate.Bed) []plate.Plate {
	return []plate.Plate{
		training.New(bed),
	}
}

package strength_test

import (
	"fmt"

	"tectonic/internal/plates/training/strength"
)

func ExampleConvert() {
	bar := strength.DefaultRack().Grid(true)
	fmt.Println("155 for five is", strength.Convert(155, 5, 3, bar), "for three")
	// Output: 155 for five is 165 for three
}

func ExampleRack_PerSide() {
	counts, ok := strength.DefaultRack().PerSide(165)
	fmt.Println(strength.Label(counts), ok)
	_, ok = strength.DefaultRack().PerSide(47)
	fmt.Println(ok)
	// Output:
	// 1×45 1×10 1×5 true
	// false
}

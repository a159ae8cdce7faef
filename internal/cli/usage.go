package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tectonic/internal/bedrock/fault"
)

// none refuses arguments of a command that takes none.
func none(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fault.BadArgument("%s takes no arguments, and got %q.", c.CommandPath(), args[0]).Next(helpOf(c))
}

// one refuses anything but exactly one argument; what says what it is.
func one(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch len(args) {
		case 1:
			return nil
		case 0:
			return fault.BadArgument("Name %s: %s.", what, c.UseLine()).Next(helpOf(c))
		}
		return fault.BadArgument("%s takes one argument, %s, and got %d.", c.CommandPath(), what, len(args)).Next(helpOf(c))
	}
}

// atMostOne refuses more than one argument; what says what it is.
func atMostOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return fault.BadArgument("%s takes one argument, %s, and got %d.", c.CommandPath(), what, len(args)).Next(helpOf(c))
	}
}

// oneOfItsCommands refuses the name of a command that a group does not have.
func oneOfItsCommands(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return fault.BadArgument("%s has no command %q.%s", c.CommandPath(), args[0], perhaps(args[0], names)).Next(helpOf(c))
}

func helpOf(c *cobra.Command) string { return "See: " + c.CommandPath() + " --help" }

// explainFlag says in our words what is wrong with a flag.
func explainFlag(c *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		add := func(f *pflag.Flag) { names = append(names, f.Name) }
		c.Flags().VisitAll(add)
		c.InheritedFlags().VisitAll(add)
		hint := perhapsFlag(e.GetSpecifiedName(), names)
		return fault.BadArgument("%s has no flag %s.%s", c.CommandPath(), dashed(e.GetSpecifiedName()), strings.Replace(hint, "mean ", "mean --", 1)).Next(helpOf(c))
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fault.BadArgument("%s needs a value.", dashed(e.GetSpecifiedName())).Next(helpOf(c))
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fault.BadArgument("--%s takes %s, and got %q.", e.GetFlag().Name, kinds[e.GetFlag().Value.Type()], e.GetValue()).Next(helpOf(c))
	}
	return fault.BadArgument("%s.", err).Next(helpOf(c))
}

// perhapsFlag is perhaps, and also knows the one flag that ends in what was
// typed: "id" means "workout_id".
func perhapsFlag(typed string, names []string) string {
	var ending []string
	for _, name := range names {
		if strings.HasSuffix(name, "_"+strings.ToLower(typed)) {
			ending = append(ending, name)
		}
	}
	if len(ending) == 1 {
		return fmt.Sprintf(" Did you mean %s?", ending[0])
	}
	return perhaps(typed, names)
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// kinds says in words what the flags take that are not text.
var kinds = map[string]string{"int64": "a whole number", "bool": "true or false"}

// perhaps asks whether the nearest of the names was meant, or is "" when none
// is near.
func perhaps(typed string, names []string) string {
	best, distance := "", 1+len(typed)/3
	for _, name := range names {
		if d := edits(strings.ToLower(typed), name); d <= distance {
			best, distance = name, d-1
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" Did you mean %s?", best)
}

// edits counts the letters to add, drop or change that turn a into b
// (Levenshtein).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner, row[j+1] = row[j+1], min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// joinBooleans joins a flag that may stand alone with the true or false after
// it, which the flag would otherwise leave as an argument.
func joinBooleans(root *cobra.Command, args []string) []string {
	c, _, err := root.Find(args)
	if err != nil {
		return args
	}
	var joined []string
	for i := 0; i < len(args); i++ {
		f := c.Flags().Lookup(strings.TrimPrefix(args[i], "--"))
		if strings.HasPrefix(args[i], "--") && f != nil && f.NoOptDefVal == "true" && i+1 < len(args) && slices.Contains(booleans, strings.ToLower(args[i+1])) {
			joined = append(joined, args[i]+"="+args[i+1])
			i++
			continue
		}
		joined = append(joined, args[i])
	}
	return joined
}

var booleans = []string{"true", "false", "yes", "no", "on", "off", "1", "0"}

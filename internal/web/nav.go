package web

// Section is one layer of the rail: a plate with its entries.
type Section struct {
	Plate string // key, as pages name it: "training"
	Title string // "Training"
	Href  string // its first page
	Items []Item

	Settings []Link // its settings, linked from those of the account
}

// Item is one entry of a section.
type Item struct {
	Key     string // as pages name it: "today"
	Title   string // in the rail
	Href    string
	Tab     string // label in the tab bar of phones, "" = not there; at most four per section are shown
	Icon    string // name of an ui.Icon, for the tab bar
	Admin   bool   // shown to instance administrators only
	Several bool   // shown to whoever has several workspaces only
}

// maxTabs is how many entries of a section the tab bar shows beside More.
const maxTabs = 4

// tabs returns the entries of the tab bar: those of the current section, or
// of the first one that has any.
func (v *visit) tabs(plate string) []Item {
	var first []Item
	for _, s := range v.site.o.Sections {
		own := s.tabs()
		if s.Plate == plate && len(own) > 0 {
			return own
		}
		if first == nil {
			first = own
		}
	}
	return first
}

func (s Section) tabs() []Item {
	var tabs []Item
	for _, i := range s.Items {
		if i.Tab != "" && len(tabs) < maxTabs {
			tabs = append(tabs, i)
		}
	}
	return tabs
}

// may returns the items that the reader of this request may see.
func (v *visit) may(items []Item) []Item {
	var seen []Item
	for _, i := range items {
		if (!i.Admin || v.identity.Admin) && (!i.Several || len(v.identity.Workspaces) > 1) {
			seen = append(seen, i)
		}
	}
	return seen
}

// opens reports whether the rail shows the entries of a section: those of the
// current page, and those of the only one there is, so that settings do not
// close it.
func (v *visit) opens(s Section, p Page) bool {
	return s.Plate == p.Plate || len(v.site.o.Sections) == 1
}

// onTab reports whether the current page has a tab of its own; if not, it is
// reached by More.
func (v *visit) onTab(p Page) bool {
	for _, t := range v.tabs(p.Plate) {
		if t.Key == p.Item {
			return true
		}
	}
	return false
}

// BedrockPlate is the Plate of a page that belongs to an entry of
// Options.Bedrock.
const BedrockPlate = "bedrock"

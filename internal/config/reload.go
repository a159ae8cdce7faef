package config

// Changes compares the settings with those that were read later. live lists
// what a running server takes over, as NAME=value; restart names what it does
// not.
func (c Config) Changes(later Config) (live, restart []string) {
	for _, s := range Settings {
		if s.get(c) == s.get(later) {
			continue
		}
		if s.Live {
			live = append(live, s.Env+"="+s.Value(later))
		} else {
			restart = append(restart, s.Env)
		}
	}
	return live, restart
}

package cli

import (
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/config"
)

// reloadOnHangup reads the settings again on each SIGHUP; done ends that. The
// signal also comes when the server's terminal is closed, and then it stops.
func (p *program) reloadOnHangup(cmd *cobra.Command, a *app.App, c config.Config, log *slog.Logger, stop func()) (done func()) {
	_, hadTerminal := terminal(p.Stdin)
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	go func() {
		for range hangups {
			if _, has := terminal(p.Stdin); hadTerminal && !has {
				stop()
				return
			}
			c = p.reload(cmd, a, c, log)
		}
	}()
	return func() { signal.Stop(hangups); close(hangups) }
}

// reload takes over what may change and says so. Settings that cannot be read
// change nothing.
func (p *program) reload(cmd *cobra.Command, a *app.App, before config.Config, log *slog.Logger) config.Config {
	after, err := p.config(cmd)
	if err != nil {
		log.Error("the settings stay as they are", "error", err)
		return before
	}
	changed, restart := before.Changes(after)
	a.Reload(after)
	log.Info("read the settings again", "changed", changed, "after_a_restart", restart)
	return after
}

// Copies htmx, as the lock file names it, to where the binary embeds it.
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
copyFileSync(here("node_modules/htmx.org/dist/htmx.min.js"), here("../internal/web/static/htmx.min.js"));

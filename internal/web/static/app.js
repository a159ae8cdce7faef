// What the pages do beyond links and forms. Everything works without it.

const root = document.documentElement;
root.classList.add("js");

const problem = () => document.getElementById("problem");
const fresh = (form) => {
  const field = form?.elements?.request_id;
  if (field) field.value = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
};

// ---- requests under way -----------------------------------------------------

// The button stays enabled, so that its name and value are sent; a second
// press while it is busy is dropped.
let pressed = null;
document.addEventListener("submit", (e) => {
  const button = e.submitter;
  if (e.defaultPrevented && !e.target.closest("[hx-post],[hx-get],[hx-put],[hx-delete]")) return;
  if (button?.getAttribute("aria-busy") === "true") {
    e.preventDefault();
    e.stopImmediatePropagation();
    return;
  }
  pressed = button;
  setTimeout(() => button?.removeAttribute("aria-busy"), 15000); // a download leaves the page as it is
  button?.setAttribute("aria-busy", "true");
}, true);

const rest = (scope = document) =>
  scope.querySelectorAll?.('[aria-busy="true"]').forEach((b) => b.removeAttribute("aria-busy"));

// A page that comes back from the browser's memory has old buttons and old
// request ids in it.
addEventListener("pageshow", (e) => {
  rest();
  if (e.persisted) for (const form of document.forms) fresh(form);
});

// ---- htmx -------------------------------------------------------------------

document.addEventListener("htmx:before:request", () => problem()?.replaceChildren());

document.addEventListener("htmx:finally:request", (e) => {
  const ctx = e.detail.ctx;
  const form = ctx.sourceElement?.closest?.("form");
  rest(form ?? document);
  pressed?.removeAttribute("aria-busy");
  pressed = null;
  // The same form sent again with other contents is another request.
  if (form?.isConnected && ctx.response?.status < 400) fresh(form);
});

const say = (html) => {
  const place = problem();
  if (!place) return;
  place.innerHTML = html;
  place.scrollIntoView({ block: "nearest" });
};
const outage = () => document.getElementById("outage")?.innerHTML ?? "";

// A 5xx never lands in the target of the request (htmx is told so in its
// configuration). Our own answers are a panel; anything else is from a proxy.
document.addEventListener("htmx:response:error", (e) => {
  const { response, hx, text } = e.detail.ctx;
  if (response.status >= 500) say(hx?.retarget === "#problem" ? text : outage());
});

// No answer at all: the network, or the time that the browser waits.
document.addEventListener("htmx:error", (e) => {
  if (!e.detail.ctx?.response) say(outage());
});

// Whoever has just finished the next set of a session sees the one after it.
// The form is gone once its answer is in the page, so it is asked before.
let finishedNext = false;
document.addEventListener("htmx:before:swap", (e) => {
  finishedNext = Boolean(e.detail.ctx?.sourceElement?.closest?.("#next, .swap"));
});
document.addEventListener("htmx:after:swap", () => {
  if (!finishedNext) return;
  requestAnimationFrame(() => document.getElementById("next")?.scrollIntoView({ block: "nearest", behavior: "instant" }));
});

// ---- dialogs, menus ---------------------------------------------------------

document.addEventListener("click", (e) => {
  const opener = e.target.closest("[data-dialog]");
  const dialog = opener && document.getElementById(opener.dataset.dialog);
  if (dialog?.showModal) {
    e.preventDefault();
    dialog.showModal();
    return;
  }
  if (e.target.closest("[data-close]") || e.target.matches("dialog[open]")) {
    e.target.closest("dialog")?.close();
  }
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(e.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// ---- copy -------------------------------------------------------------------

document.addEventListener("click", async (e) => {
  const button = e.target.closest("[data-copy]");
  if (!button) return;
  const from = document.getElementById(button.dataset.copy);
  const text = button.querySelector("[data-copy-text]") ?? button;
  const label = text.textContent;
  try {
    await navigator.clipboard.writeText(from.value ?? from.textContent.trim());
    text.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(from);
    from.select?.();
    text.textContent = "Selected: press Ctrl C";
  }
  setTimeout(() => { text.textContent = label; }, 2000);
});

// ---- forms ------------------------------------------------------------------

// The time zone of a new account is the browser's, unless one is chosen.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || (field.value && field.value !== "UTC") || field.getAttribute("aria-invalid")) continue;
  if (field.tagName === "SELECT" && ![...field.options].some((o) => o.value === zone)) continue;
  field.value = zone;
}

// A select or a box that sends its form when it changes; its button is .no-js.
document.addEventListener("change", (e) => {
  if (e.target.matches("[data-submits]")) e.target.form.requestSubmit();
});

// A lift is dragged by its grip to another place in its day. Where it is let
// go is sent as its position; the buttons beside the grip send the same.
document.addEventListener("pointerdown", (down) => {
  const grip = down.target.closest(".ed__grip");
  const lift = grip?.closest("[data-lift]");
  if (!lift) return;
  down.preventDefault();
  grip.setPointerCapture(down.pointerId);
  lift.classList.add("is-dragged");
  const lifts = [...lift.parentElement.querySelectorAll("[data-lift]")];
  const others = lifts.filter((o) => o !== lift);
  const from = lifts.indexOf(lift);
  let to = from;
  const mark = () => others.forEach((o, i) => {
    o.classList.toggle("is-before", to !== from && i === to);
    o.classList.toggle("is-after", to !== from && to === others.length && i === to - 1);
  });
  // The row stays where it is until it is let go: moved, it would lose the pointer.
  const move = (e) => {
    const next = others.findIndex((o) => { const b = o.getBoundingClientRect(); return e.clientY < b.top + b.height / 2; });
    to = next < 0 ? others.length : next;
    mark();
  };
  const stay = () => { to = from; };
  const drop = () => {
    grip.removeEventListener("pointermove", move);
    grip.removeEventListener("pointercancel", stay);
    lift.classList.remove("is-dragged");
    if (to !== from) {
      const form = grip.closest("form");
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "position", value: to }));
      form.requestSubmit();
    }
    to = from;
    mark();
  };
  grip.addEventListener("pointermove", move);
  grip.addEventListener("pointercancel", stay);
  grip.addEventListener("lostpointercapture", drop, { once: true });
});

// ---- installed --------------------------------------------------------------

// The service worker needs a secure address; without one nothing is kept.
navigator.serviceWorker?.register("/sw.js").catch(() => {});

document.addEventListener("click", (e) => {
  if (e.target.closest("[data-reload]")) location.reload();
  if (e.target.closest("[data-prints]")) print();
});

// The offline page lists the sessions that the device has a copy of.
const kept = document.getElementById("kept");
if (kept && globalThis.caches) {
  (async () => {
    for (const name of await caches.keys()) {
      if (!name.startsWith("pages-")) continue;
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const title = new DOMParser().parseFromString(await (await cache.match(request)).text(), "text/html").title;
        const link = Object.assign(document.createElement("a"), { href: new URL(request.url).pathname, textContent: title.replace(" · Tectonic", ""), className: "btn btn--wide" });
        const item = document.createElement("li");
        item.append(link);
        kept.append(item);
      }
    }
  })();
}

// The session page where the network is bad and the hands are full: what is
// pressed is written down first (waiting.js), shown at once, and sent when it
// can be; a timer counts the rest; the screen stays on.

const who = document.querySelector('meta[name="who"]').content;
const page = location.pathname;
const body = () => document.getElementById("session-body");
const template = (id) => document.getElementById(id)?.content;
const rowOf = (set) => body().querySelector(`li[data-set="${set}"]`);
const announce = (text) => { document.getElementById("session-says").textContent = text; };
const newID = () => crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
const news = globalThis.BroadcastChannel && new BroadcastChannel("waiting"); // to the other tabs

const waitingHere = async () => (await waiting.all()).filter((c) => c.who === who && c.page === page);

// ---- pressing ---------------------------------------------------------------

// isChange reports whether the form is one that may wait: Done, Undo, other
// numbers, a rating. All of them state what is wanted, so their order and
// their request ids are all that matters.
const isChange = (form) => form?.matches?.("#session-body form[data-change]");

const describe = (form, sent) => {
  const row = form.closest("li[data-set]");
  const request = new URLSearchParams(sent);
  request.set("request_id", newID());
  const value = (name) => request.get(name) ?? "";
  return {
    who, page, url: form.getAttribute("action"), body: request.toString(),
    set: row?.dataset.set ?? "session", seen: row?.dataset.seen ?? "",
    what: row ? `${row.closest(".lift")?.querySelector("h2")?.textContent ?? ""} ${row.dataset.load}` : "Session RPE",
    wanted: {
      done: value("done") !== "0" || value("rpe") !== "", rpe: value("rpe"), other: value("other") === "1",
      weight: value("weight"), count: value("reps") || value("duration_seconds"), timed: request.has("duration_seconds"),
    },
  };
};

let down = false; // the last try found no server

document.addEventListener("htmx:config:request", (e) => {
  const { ctx } = e.detail;
  const form = ctx.sourceElement;
  if (!isChange(form)) return;
  ctx.fetch = async (url, request) => {
    const change = describe(form, request.body);
    restFor(change);
    let made;
    try {
      made = await waiting.add(change);
    } catch { // no room, or a private window without a store: send it plainly
      return fetch(url, request);
    }
    if (down || !navigator.onLine) {
      paint();
      attempt();
      return new Response(null, { status: 204 }); // htmx swaps nothing
    }
    const soon = setTimeout(paint, 300);
    const result = await waiting.flush(who, made.n).catch(() => ({ state: "down", sent: [], answers: new Map() }));
    clearTimeout(soon);
    settle(result);
    const answer = result.answers.get(made.n);
    if (!answer) { // it waits, or the worker or another tab was faster
      if ((await waiting.all()).some((c) => c.n === made.n)) await paint();
      else await refresh();
      return new Response(null, { status: 204 });
    }
    keep(answer);
    news?.postMessage(page);
    if (!form.isConnected) { // drawn over meanwhile: htmx would swap, but tell nobody
      show(answer.text);
      await paint();
      return new Response(null, { status: 204 });
    }
    return new Response(answer.text, { status: answer.status, headers: answer.headers });
  };
});

// ---- sending what waits -----------------------------------------------------

let trying = 0, next = 0;
let away = false;

// settle remembers how the last try ended and plans the one after it.
const settle = ({ state }) => {
  down = state === "down";
  away = state === "away";
  clearTimeout(next);
  if (!down) trying = 0;
  else next = setTimeout(attempt, Math.min(60, 2 ** ++trying) * 1000);
};

// attempt sends what waits and shows the session as the server then has it.
const attempt = async () => {
  if ((await waitingHere()).length === 0 && !stale()) return paint();
  const result = await waiting.flush(who);
  settle(result);
  if (result.sent.length > 0 || (!down && !away && stale())) await refresh();
  else await paint();
  if (result.sent.length > 0) news?.postMessage(page);
};

const stale = () => document.documentElement.dataset.kept !== undefined;

// refresh takes the session from the server.
const refresh = async () => {
  try {
    const answer = await fetch(page, { headers: { "HX-Request": "true", "HX-Target": "div#session-body" }, redirect: "manual", cache: "no-store", signal: AbortSignal.timeout(6000) });
    if (!answer.ok || answer.headers.get("X-Tectonic-Who") !== who) return paint();
    const text = await answer.text();
    show(text);
    keep({ text });
    delete document.documentElement.dataset.kept;
  } catch { /* later */ }
  await paint();
};

// show puts a fragment of the server in place of the body.
const show = (text) => {
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const fresh = parsed.getElementById("session-body");
  if (!fresh) return;
  replaceBody(fresh.innerHTML);
  const says = parsed.getElementById("session-says")?.textContent;
  if (says) announce(says);
};

addEventListener("online", () => { down = false; attempt(); });
addEventListener("offline", () => { down = true; paint(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) { attempt(); stayAwake(); } });
news?.addEventListener("message", (e) => { if (e.data === page) refresh(); });

// ---- the copy ---------------------------------------------------------------

// keep makes the worker's copy of the page what the server has just said.
const keep = async ({ text, status = 200 }) => {
  if (!globalThis.caches || status !== 200 || !(await caches.has(`pages-${who}`))) return;
  const cache = await caches.open(`pages-${who}`);
  const kept = await cache.match(page);
  const part = new DOMParser().parseFromString(text, "text/html").getElementById("session-body");
  if (!kept || !part) return;
  const copy = new DOMParser().parseFromString(await kept.text(), "text/html");
  copy.getElementById("session-body").replaceWith(part);
  const headers = new Headers(kept.headers);
  headers.set("Date", new Date().toUTCString());
  await cache.put(page, new Response(`<!DOCTYPE html>${copy.documentElement.outerHTML}`, { headers }));
};

// The first page of a new browser came before its worker: take a copy now.
navigator.serviceWorker?.ready.then(async () => {
  if (await caches.match(page)) return;
  const answer = await fetch(page, { redirect: "manual" });
  if (answer.status === 200 && answer.headers.get("X-Tectonic-Who") === who) await (await caches.open(`pages-${who}`)).put(page, answer);
}).catch(() => {});

// ---- showing what waits -----------------------------------------------------

// The body as the server wrote it, and the numbers of the changes that are
// drawn over it.
let written = body().innerHTML;
let drawn = new Map();

// The timer and the count live on while the body around them is new.
const replaceBody = (html) => {
  const living = ["rest", "waiting", "guide"].map((id) => document.getElementById(id)).filter(Boolean);
  body().innerHTML = html;
  for (const old of living) document.getElementById(old.id)?.replaceWith(old);
  htmx.process(body());
  written = html;
  drawn = new Map();
};

document.addEventListener("htmx:after:swap", () => {
  if (!body()) return;
  written = body().innerHTML;
  drawn = new Map();
  paint();
});

let painting = Promise.resolve();
const paint = () => painting = painting.then(repaint).catch((err) => console.warn("paint", err));

const repaint = async () => {
  const changes = await waitingHere();
  const kept = new Map(changes.map((c) => [c.n, c.refused ?? ""]));
  if ([...drawn].some(([n, refused]) => kept.get(n) !== refused)) replaceBody(written);
  for (const change of changes) {
    if (drawn.has(change.n)) continue;
    draw(change);
    drawn.set(change.n, change.refused ?? "");
  }
  const elsewhere = (await waiting.all()).filter((c) => c.who !== who && c.who.split(".")[0] === who.split(".")[0]);
  count(changes, elsewhere.length);
  paintRest();
  stayAwake();
};

// count says in the head how many changes wait, and why.
const count = (changes, elsewhere) => {
  const place = document.getElementById("waiting");
  if (!place) return;
  const n = changes.filter((c) => !c.refused).length;
  const refused = changes.length - n;
  const some = (k) => `${k} ${k === 1 ? "change" : "changes"}`;
  let text = "";
  if (n > 0 && away) text = `${some(n)} waiting: you are signed out here, or in another workspace.`;
  else if (n > 0) text = `${down || !navigator.onLine ? "No network: " : ""}${some(n)} waiting`;
  else if (stale()) text = "No network: this is the copy on your device";
  else if (refused > 0) text = `${some(refused)} to decide`;
  else if (elsewhere > 0) text = `${some(elsewhere)} waiting in another workspace`;
  place.hidden = text === "";
  const words = place.querySelector("span");
  if (words.textContent !== text) words.textContent = text;
  place.querySelector("a").hidden = !(away && n > 0);
};

const draw = (change) => {
  const row = change.set === "session" ? null : rowOf(change.set);
  if (change.set === "session") pressRating(body().querySelector('.rate form[data-change]'), change.wanted.rpe);
  else if (row && !change.refused) drawRow(row, change);
  if (change.refused) clash(change, row && rowOf(change.set));
  else announce(`Waiting: ${change.what}.`);
};

// drawRow makes a row say what was pressed, and moves on to the next open set.
const drawRow = (row, { wanted }) => {
  const wasDone = row.dataset.done === "1";
  if (wanted.other) row.dataset.load = say(wanted);
  const fresh = plain(row, wanted.done, "waiting");
  if (wanted.other) other(fresh, wanted);
  if (wanted.rpe) pressRating(fresh.querySelector(".more form[data-change]:not(.else)"), wanted.rpe);
  progress(fresh, wasDone, wanted.done);
  moveOn();
};

const say = ({ weight, count, timed }) => {
  const number = count + (timed ? "s" : "");
  return weight && weight !== "0" ? `${weight} × ${number}` : `${number}${timed ? "" : " reps"}`;
};

// other writes the typed numbers into a row. Its plates are the server's to
// work out.
const other = (row, { weight, count, timed }) => {
  const load = row.querySelector(".load");
  const heavy = weight && weight !== "0";
  load.textContent = heavy ? weight : count;
  if (heavy) load.insertAdjacentHTML("beforeend", '<span class="unit">lb</span> <span class="x">×</span> ');
  if (heavy) load.append(count);
  if (timed || !heavy) load.insertAdjacentHTML("beforeend", `<span class="unit">${timed ? "s" : " reps"}</span>`);
  row.querySelectorAll(".sleeve, .side").forEach((e) => e.remove());
};

const pressRating = (form, rpe) => form?.querySelectorAll('button[name="rpe"]').forEach((b) => b.setAttribute("aria-pressed", String(b.value === rpe)));

// Rows are made from two templates of the page, the one for the next set and
// the one for all others, with the words of the row that they replace.
const blank = "999999999"; // the id of the set in the templates
const fromTemplate = (name, row) => {
  const holder = document.createElement("div");
  holder.append(template(name).cloneNode(true));
  holder.innerHTML = holder.innerHTML.replaceAll(blank, row.dataset.set);
  const made = holder.firstElementChild;
  Object.assign(made.dataset, row.dataset);
  for (const part of ["load", "sleeve", "side", "set__planned"]) {
    const old = row.querySelector(`.set__what > .${part}`);
    const at = made.querySelector(`.set__what > .${part}`);
    if (old && at) at.replaceWith(old);
    else if (old) made.querySelector(".set__what").append(old);
    else at?.remove();
  }
  const typed = row.querySelector("form.else");
  if (typed) made.querySelector("form.else")?.replaceWith(typed);
  if (row.dataset.warm === "1") made.querySelectorAll(".more, .other, .rate-set").forEach((e) => e.remove());
  return made;
};

const plain = (row, done, state) => {
  const made = fromTemplate("row-plain", row);
  made.dataset.done = done ? "1" : "0";
  if (row.dataset.warm === "1") made.querySelectorAll(".set__what, .set__form").forEach((e) => e.classList.add("dim"));
  const slab = made.querySelector(".slab");
  slab.form.elements.done.value = done ? "0" : "1";
  slab.innerHTML = done ? "<span>Undo</span>" : "Done";
  slab.setAttribute("aria-label", `${done ? "Undo" : "Done"}, ${row.dataset.load}`);
  if (state === "waiting") {
    made.className = `set set--waiting ${done ? "set--lifted" : "set--open"}`;
    made.querySelector(".set__ic").outerHTML = document.querySelector("#waiting svg").outerHTML.replace('class="ic"', 'class="ic set__ic"');
    made.querySelector(".set__what .vh").textContent = "";
    made.querySelector(".set__what").insertAdjacentHTML("beforeend", `<p class="set__wait">${done ? "waiting" : "undone, waiting"}</p>`);
    if (done) made.querySelector(".sleeve")?.remove();
  }
  row.replaceWith(made);
  htmx.process(made);
  return made;
};

const promote = (row) => {
  const made = fromTemplate("row-next", row);
  made.id = "next";
  made.querySelector(".cue").lastChild.textContent = row.dataset.cue;
  made.querySelector(".done").id = "done";
  made.querySelector(".done").setAttribute("aria-label", `Done, ${row.dataset.load}`);
  for (const fold of [row.closest("details.lift"), row.closest("details.warm")]) if (fold) fold.open = true;
  row.replaceWith(made);
  htmx.process(made);
  made.scrollIntoView({ block: "nearest", behavior: "instant" });
};

// moveOn makes the first open set the next one.
const moveOn = () => {
  const rows = [...body().querySelectorAll("li[data-set]")];
  const first = rows.find((r) => r.dataset.done !== "1");
  const now = document.getElementById("next");
  if (now && now !== first) plain(now, now.dataset.done === "1");
  if (first && first !== now) promote(rowOf(first.dataset.set));
  const marks = body().querySelectorAll(".prog__bar i");
  marks.forEach((m) => m.classList.remove("nx"));
  if (first) marks[first.dataset.at]?.classList.add("nx");
};

const progress = (row, wasDone, done) => {
  const bar = body().querySelector(".prog__bar");
  bar.querySelectorAll("i")[row.dataset.at]?.classList.toggle("y", done);
  if (wasDone === done) return;
  const n = Number(bar.getAttribute("aria-valuenow")) + (done ? 1 : -1);
  bar.setAttribute("aria-valuenow", n);
  bar.setAttribute("aria-valuetext", `${n} of ${bar.getAttribute("aria-valuemax")} sets`);
  body().querySelector(".prog__n").firstChild.textContent = `${n} `;
};

// clash shows a refused change where it was made, with the two ways out.
const clash = (change, row) => {
  const made = template("clash").firstElementChild.cloneNode(true);
  made.dataset.n = change.n;
  made.querySelector("b").textContent = change.what;
  made.querySelector("span").textContent = change.refused;
  if (row) row.append(made);
  else if (change.set === "session") body().querySelector(".rate form").after(made);
  else body().querySelector(".cols > div").prepend(made);
};

document.addEventListener("click", async (e) => {
  const button = e.target.closest("[data-clash]");
  if (!button) return;
  const n = Number(button.closest("[data-n]").dataset.n);
  const change = (await waiting.all()).find((c) => c.n === n);
  if (!change) return paint();
  if (button.dataset.clash === "drop") await waiting.drop(change);
  else await waiting.insist(change, newID());
  await paint();
  if (button.dataset.clash === "drop") await refresh();
  else await attempt();
});

// ---- a finger that comes down twice -------------------------------------------

// Whatever stands under the finger after a press has been put there by the
// press: the next Done, or an Undo. A pointer that presses the same place
// again at once is dropped; a key works.
const settleTime = 500; // ms; double taps are 80 to 300 apart
const reach = 40; // px
const guard = { id: "", x: 0, y: 0, until: 0 };
document.addEventListener("click", (e) => {
  const button = e.target.closest?.("#session-body form[data-change] button");
  if (!button || e.detail === 0) return;
  const now = performance.now();
  const same = button.id === guard.id || Math.hypot(e.clientX - guard.x, e.clientY - guard.y) < reach;
  if (same && now < guard.until) e.preventDefault();
  else Object.assign(guard, { id: button.id, x: e.clientX, y: e.clientY, until: now + settleTime });
}, true);

// ---- rest -------------------------------------------------------------------

// {until, total, set}: in ms since 1970, so that a reload goes on counting.
const resting = {
  get: () => { try { return JSON.parse(localStorage.getItem("rest")); } catch { return null; } },
  set: (rest) => { try { localStorage.setItem("rest", JSON.stringify(rest)); } catch { /* a private window */ } },
  end: () => { try { localStorage.removeItem("rest"); } catch { /* the same */ } },
};
const ownRest = () => { try { return Number(localStorage.getItem("rest-seconds")) || 0; } catch { return 0; } };
const clock = (s) => `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;

// restFor starts the timer when an open set becomes done, and takes it back
// with the set that started it. The plan says how long, else the lifter.
const restFor = ({ set, wanted }) => {
  const row = set === "session" ? null : rowOf(set);
  if (!row) return;
  if (!wanted.done) {
    if (resting.get()?.set === set) resting.end();
  } else if (row.dataset.done !== "1" && body().querySelectorAll('li[data-set][data-done="0"]').length > 1) {
    const seconds = Number(row.dataset.rest) || (row.dataset.warm === "1" ? 0 : ownRest());
    if (seconds > 0) resting.set({ until: Date.now() + seconds * 1000, total: seconds, set });
    else resting.end();
  }
  paintRest();
};

const overTime = 20; // s that "rest over" is shown
let ticking = 0;
const paintRest = () => {
  const place = document.getElementById("rest");
  if (!place) return;
  const rest = resting.get();
  const left = rest ? Math.ceil((rest.until - Date.now()) / 1000) : -overTime;
  if (rest && left <= -overTime) resting.end();
  const on = left > -overTime;
  body().querySelector(".shead").classList.toggle("shead--rest", on);
  place.hidden = !on;
  place.classList.toggle("rest--over", on && left <= 0);
  place.querySelector(".rest__n").textContent = left > 0 ? clock(left) : "Lift";
  place.querySelector(".rest__lab").textContent = left > 0 ? "rest" : "rest over";
  if (on && !ticking) ticking = setInterval(tick, 250);
  if (!on) { clearInterval(ticking); ticking = 0; }
};

let rung = 0;
const tick = () => {
  const rest = resting.get();
  if (rest && rest.until <= Date.now() && rung !== rest.until) {
    if (Date.now() - rest.until < 2000) {
      navigator.vibrate?.([200, 120, 200]);
      announce("Rest over.");
    }
    rung = rest.until;
  }
  paintRest();
};

document.addEventListener("click", (e) => {
  const button = e.target.closest("[data-rest-do]");
  if (!button) return;
  const rest = resting.get();
  if (button.dataset.restDo === "skip" || !rest) resting.end();
  else resting.set({ ...rest, until: Math.max(rest.until, Date.now()) + 30000 });
  paintRest();
});

// The lifter's own rest, kept on this device, for lifts whose plan names none.
const paintChoice = () => {
  const own = ownRest();
  document.querySelectorAll("[data-rest-own]").forEach((b) => b.setAttribute("aria-pressed", String(Number(b.dataset.restOwn) === own)));
};
document.addEventListener("click", (e) => {
  const button = e.target.closest("[data-rest-own]");
  if (!button) return;
  try { localStorage.setItem("rest-seconds", button.dataset.restOwn); } catch { /* a private window */ }
  paintChoice();
});

// ---- the screen -------------------------------------------------------------

let lock = null, asking = false;
const stayAwake = async () => {
  paintChoice();
  const wanted = !document.hidden && Boolean(document.getElementById("next"));
  if (wanted && !lock && !asking && navigator.wakeLock) {
    asking = true;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => { lock = null; noteAwake(); });
    } catch { /* a low battery, or not allowed */ }
    asking = false;
  } else if (!wanted && lock) {
    await lock.release();
  }
  noteAwake();
};
const noteAwake = () => { const note = document.getElementById("awake"); if (note) note.hidden = !lock; };

// ---- start ------------------------------------------------------------------

down = !navigator.onLine;
paint().then(() => attempt());

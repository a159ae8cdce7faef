// The changes of a session that have not reached the server yet. They stand in
// the browser's database, in the order in which they were made, each with its
// own request id: however often one is sent, the server applies it once. Pages
// and the service worker share this file.

globalThis.waiting = (() => {
  const whoHeader = "X-Tectonic-Who"; // account.workspace
  const patience = 6000; // ms for one change

  // ---- the store ------------------------------------------------------------

  // A page that the browser has put aside may hold the database for ever; then
  // the answer is an error in time, not a button that does nothing.
  const limit = 2000; // ms
  let opened;
  const open = () => opened ??= new Promise((resolve, reject) => {
    const fail = (err) => { opened = undefined; reject(err); };
    const late = setTimeout(() => fail(new Error("the store of this browser does not open")), limit);
    const request = indexedDB.open("tectonic", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("changes", { keyPath: "n", autoIncrement: true });
    request.onsuccess = () => { clearTimeout(late); resolve(request.result); };
    request.onerror = () => { clearTimeout(late); fail(request.error); };
  });

  // made tells whether there is a store at all, without making one.
  const made = async () => (await indexedDB.databases?.())?.some((d) => d.name === "tectonic") ?? true;

  globalThis.addEventListener?.("pagehide", () => {
    opened?.then((db) => db.close()).catch(() => {});
    opened = undefined;
  });

  const within = async (mode, use) => {
    const transaction = (await open()).transaction("changes", mode, { durability: "strict" });
    const request = use(transaction.objectStore("changes"));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  };

  // A store that does not answer must not hold a press back: whoever waits for
  // it goes on without it.
  const storePatience = 1000; // ms
  const soon = (work) => {
    let clock;
    const slow = new Promise((_, giveUp) => {
      clock = setTimeout(() => { opened = undefined; giveUp(new Error("the store of this browser is slow")); }, storePatience);
    });
    return Promise.race([work, slow]).finally(() => clearTimeout(clock));
  };

  const all = () => soon(within("readonly", (s) => s.getAll()));
  const put = (change) => within("readwrite", (s) => s.put(change));
  const remove = (n) => within("readwrite", (s) => s.delete(n));

  // add writes a change down and returns it with its number. A change is
  // {who, page, url, body, set, seen, ...}; set is "session" for its rating.
  const add = async (change) => {
    const made = { ...change, at: Date.now() };
    const writing = put(made);
    try {
      made.n = await soon(writing);
    } catch (err) {
      writing.then(remove).catch(() => {}); // it is sent another way; a late copy must not follow
      throw err;
    }
    globalThis.navigator?.serviceWorker?.ready.then((r) => r.sync?.register("waiting")).catch(() => {});
    return made;
  };

  // ---- one sender at a time -------------------------------------------------

  // Of all tabs and the worker. Without a secure address there are no locks,
  // and no worker; then only this page's own sends follow each other.
  let before = Promise.resolve();
  const alone = (work) => {
    const locks = globalThis.navigator?.locks;
    if (locks) return locks.request("waiting", work);
    const mine = before.then(work);
    before = mine.catch(() => {});
    return mine;
  };

  // ---- sending --------------------------------------------------------------

  const send = async (change, live) => {
    const body = new URLSearchParams(change.body);
    // What the row said when it was pressed: the server tells whether somebody
    // has changed it since. A change that is sent at once needs no such care.
    if (!live && change.seen) body.set("seen", change.seen);
    try {
      const answer = await fetch(change.url, {
        method: "POST", body, redirect: "manual", cache: "no-store", signal: AbortSignal.timeout(patience),
        headers: { [whoHeader]: change.who, "HX-Request": "true", "HX-Target": "div#session-body", "HX-Current-URL": new URL(change.page, location.origin).href },
      });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    } catch {
      return { status: 0, headers: new Headers(), text: "" };
    }
  };

  // verdict reads an answer: "sent", "refused", "away" (somebody else is signed
  // in, or nobody) or "down" (no answer, or none of ours, or one in trouble).
  const verdict = (answer, change) => {
    const who = answer.headers.get(whoHeader);
    if (!who || answer.status >= 500 || answer.status === 429) return "down";
    if (who !== change.who) return "away";
    return answer.status < 300 ? "sent" : "refused";
  };

  const sentence = (answer) => {
    const text = answer.headers.get("X-Tectonic-Refusal");
    return text ? decodeURIComponent(text) : "The server refused this change.";
  };

  // succeed removes a change that the server has, and tells those after it on
  // the same set what the server says now.
  const succeed = async (change, answer) => {
    await remove(change.n);
    const seen = answer.headers.get("X-Tectonic-Seen");
    if (!seen) return;
    for (const later of await all()) {
      if (later.who === change.who && later.page === change.page && later.set === change.set) await put({ ...later, seen: later.seen && seen });
    }
  };

  // flush sends what one reader has waiting, oldest first, and stops when the
  // server cannot be reached. A change that is refused stays until a person
  // has chosen, and those behind it on the same set stay with it; the one
  // numbered live is on the screen, so the screen shows its refusal.
  const flush = (who, live = 0) => alone(async () => {
    const done = { state: "sent", sent: [], answers: new Map() };
    const held = new Set();
    for (const { n } of await all()) {
      const change = (await all()).find((c) => c.n === n); // as it is now
      if (!change || change.who !== who) continue;
      const place = `${change.page} ${change.set}`;
      if (change.refused) held.add(place);
      if (held.has(place)) continue;
      const answer = await send(change, n === live);
      const state = verdict(answer, change);
      if (state === "down" || state === "away") return { ...done, state };
      done.answers.set(n, answer);
      if (state === "sent") {
        await succeed(change, answer);
        done.sent.push(change);
      } else if (n === live) {
        await remove(n);
      } else {
        held.add(place);
        await put({ ...change, refused: sentence(answer) });
      }
    }
    return done;
  });

  // ---- what a person chooses about a refused change ---------------------------

  const sameSet = async (change) => (await all()).filter((c) => c.who === change.who && c.page === change.page && c.set === change.set);

  // drop leaves the set as the server has it.
  const drop = (change) => alone(async () => { for (const c of await sameSet(change)) await remove(c.n); });

  // insist sends a change again whatever the set is by now, as a new request.
  const insist = (change, requestID) => alone(async () => {
    const body = new URLSearchParams(change.body);
    body.set("request_id", requestID);
    await put({ ...change, body: body.toString(), seen: "", refused: undefined });
  });

  return { made, all, add, flush, drop, insist };
})();

// A page of any kind sends what its reader has waiting; the session page does
// it itself, since it has rows to show.
if (globalThis.document && !document.getElementById("session-body")) {
  const who = document.querySelector('meta[name="who"]')?.content;
  if (who && who !== "0") {
    waiting.made()
      .then((made) => made && waiting.all())
      .then((changes) => changes && changes.some((c) => c.who === who) && waiting.flush(who))
      .catch(() => {});
  }
}

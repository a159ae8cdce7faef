// The service worker. It keeps three things and nothing else: the assets, the
// offline page, and the session pages that were open, for one reader at a
// time. `made` is written on top by the server.

importScripts(made.script); // waiting

const assets = `assets-${made.version}`;
const pagesOf = (who) => `pages-${who}`;
const sessionPage = /^\/workouts\/\d+\/session$/;
const patience = 3000; // ms that a slow network gets while there is a copy
const keptPages = 4;

addEventListener("install", (e) => {
  e.waitUntil(caches.open(assets).then((c) => c.addAll([...made.assets, made.offline])).then(() => skipWaiting()));
});

addEventListener("activate", (e) => {
  e.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("assets-") && name !== assets) await caches.delete(name);
    }
    await clients.claim();
  })());
});

addEventListener("fetch", (e) => {
  const { request } = e;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname === made.signOut) {
    e.waitUntil(forget("0")); // at once: the network may be gone before the answer
    return;
  }
  if (request.method !== "GET") return;
  if (url.pathname.startsWith("/static/")) {
    e.respondWith(caches.match(request.url).then((kept) => kept ?? fetch(request)));
  } else if (request.mode === "navigate") {
    e.respondWith(page(e, url));
  }
});

// page answers with the network; with the copy of a session when the network
// is down, in trouble or slow; else with the offline page.
async function page(e, url) {
  const session = sessionPage.test(url.pathname);
  const kept = session ? await copyOf(url.pathname) : undefined;
  const network = fetch(e.request).then((answer) => learn(answer, session ? url.pathname : ""));
  e.waitUntil(network.catch(() => {}));
  const slow = kept && new Promise((resolve) => setTimeout(resolve, patience, "slow"));
  try {
    const answer = await Promise.race([network, ...(slow ? [slow] : [])]);
    if (answer !== "slow" && !(kept && answer.status >= 500)) return answer;
  } catch { /* down */ }
  return kept ? marked(kept) : (await caches.match(made.offline)) ?? Response.error();
}

// learn reads for whom an answer was made. Copies made for anybody else are
// dropped: two people may share the device.
async function learn(answer, keepAs) {
  const who = answer.headers.get(made.whoHeader);
  if (!who) return answer; // a redirect, or an answer that is not ours
  await forget(who);
  if (keepAs && who !== "0" && answer.status === 200) await keep(who, keepAs, answer.clone());
  return answer;
}

async function forget(exceptOf) {
  for (const name of await caches.keys()) {
    if (name.startsWith("pages-") && name !== pagesOf(exceptOf)) await caches.delete(name);
  }
}

async function keep(who, path, answer) {
  const cache = await caches.open(pagesOf(who));
  await cache.delete(path); // put again, so that the oldest come first
  await cache.put(path, answer);
  const all = await cache.keys();
  for (const old of all.slice(0, -keptPages)) await cache.delete(old);
}

async function reader() {
  const name = (await caches.keys()).find((n) => n.startsWith("pages-"));
  return name?.slice("pages-".length);
}

async function copyOf(path) {
  const who = await reader();
  return who && (await caches.open(pagesOf(who))).match(path);
}

// marked tells the page that it is a copy, and from when.
async function marked(kept) {
  const html = (await kept.text()).replace("<html", `<html data-kept="${kept.headers.get("Date") ?? ""}"`);
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": kept.headers.get("Content-Security-Policy") } });
}

// Background Sync, where the browser has it: what waits is sent although no
// page is open. Only the changes of the reader that was seen last.
addEventListener("sync", (e) => {
  if (e.tag !== "waiting") return;
  e.waitUntil((async () => {
    const who = await reader();
    if (!who) return;
    const { state, sent } = await waiting.flush(who);
    for (const path of new Set(sent.map((c) => c.page))) await fetch(path).then((answer) => learn(answer, path)).catch(() => {});
    if (state === "down") throw new Error("no network yet"); // the browser tries again
  })());
});

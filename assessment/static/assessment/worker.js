// Service worker: serves items that offline.js stored in this browser while the server does not answer.

const KEPT = "trackside-kept-";
const PATIENCE = 4_000; // ms to wait for the server's answer about an item
const LONGEST = 12 * 3_600_000; // ms after which a stored state has expired
const ITEM = /^(\/judging\/\d+\/)(?:items|(walls))\/(\d+)\/$/;
const CONTENT = /^\/judging\/\d+\/(?:items|walls)\/\d+\/content$/;
const PICTURE = /^\/images\//;
const STATIC = /^\/static\//;
const OF_JUDGING = /^https?:\/\/[^/]+\/(?:judging|static)\//; // pages, and scripts that import scripts
const SIGNING = /^\/(?:(?:account|admin)\/.*(?:log|sign)|invitations\/)/; // signing in or out, by any method

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== location.origin) return;
  if (SIGNING.test(pathname)) return event.waitUntil(deleteAll());
  if (event.request.method !== "GET") return;
  if (ITEM.test(pathname) && event.request.mode === "navigate") event.respondWith(open(event.request, pathname));
  else if (CONTENT.test(pathname)) event.respondWith(askServer(event.request, [tooLong()]));
  else if (PICTURE.test(pathname)) event.respondWith(preferStored(event.request));
  else if (STATIC.test(pathname) && OF_JUDGING.test(event.request.referrer))
    event.respondWith(askServer(event.request));
});

/** Deletes all stored items, so that the next account cannot read them. Unsent judgments stay. */
async function deleteAll() {
  for (const name of await caches.keys()) if (name.startsWith(KEPT)) await caches.delete(name);
}

const found = (address) => caches.match(address, { ignoreVary: true });

async function preferStored(request) {
  return (await found(request.url)) ?? fetch(request);
}

async function askServer(request, impatience = []) {
  try {
    return await Promise.race([fetch(request), ...impatience]);
  } catch {
    return (await found(request.url)) ?? Response.error();
  }
}

const tooLong = () => new Promise((_, reject) => setTimeout(reject, PATIENCE));

/** The page of an item or a wall: the server's, or the assignment's stored page with the stored state. */
async function open(request, pathname) {
  try {
    return await fetch(request);
  } catch {
    const [, base, walls, place] = pathname.match(ITEM);
    const [shell, state] = await Promise.all([
      found(walls ? `${base}walls/shell` : `${base}shell`),
      found(`${base}state`),
    ]);
    if (!shell || !state) return nothing();
    const { kept_at: keptAt, ...rest } = await state.json();
    if (Date.now() - keptAt > LONGEST) return nothing();
    return update(shell, { ...rest, place: Number(place) });
  }
}

async function update(shell, state) {
  const headers = new Headers(shell.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  const json = JSON.stringify(state).replace(/[<>&]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);
  const page = (await shell.text()).replace(
    /(<script id="state" type="application\/json">)[^<]*/,
    (_, beginning) => beginning + json,
  );
  return new Response(page, { headers });
}

/** The answer "nothing stored", which offline.js wrote in the language of the page. */
async function nothing() {
  return (await found("/judging/nothing-stored")) ?? Response.error();
}

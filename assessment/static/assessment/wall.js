// The wall: up to 24 items of a topic at once. Without this script its cells are links to the one-item screen.

import { WallAddresses } from "./addresses.js";
import { Announcer } from "./announcer.js";
import { Delivery } from "./delivery.js";
import { Drafts } from "./drafts.js";
import { listenForHelp, openHelp } from "./help.js";
import { hint } from "./hint.js";
import { History } from "./history.js";
import { ItemEvents } from "./item_events.js";
import { Keyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { Lease } from "./lease.js";
import { Looks } from "./looks.js";
import { cellOf, Work } from "./modes.js";
import { OF_WALLS, OfflineItems } from "./offline.js";
import { closeAll, toggle } from "./pops.js";
import { Prefetch } from "./prefetch.js";
import { Remarks } from "./remarks.js";
import { Replies } from "./replies.js";
import { listenToConnection, paintSaved } from "./saved.js";
import { Status } from "./status.js";
import { clickSteps, listenForClicks, pictureSteps } from "./steps.js";
import { Stopwatch } from "./stopwatch.js";
import { say } from "./texts.js";
import { closeCard, listenToCard } from "./topic_card.js";
import { TopicPicture } from "./topic_picture.js";
import { listenToCells, Opened } from "./wall_cells.js";
import { WallScreen } from "./wall_screen.js";
import { WallState } from "./wall_state.js";

const SOON = 10_000; // ms after the last act until the judgments of an unfinished wall are sent

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("state").textContent);
const form = byId("judgment");
const history = new History(start);
const wall = new WallState(history, start.walls);
const addresses = new WallAddresses(start, wall);
const status = new Status(start.status, onTopicStatus);
const offline = new OfflineItems(start, addresses, (count) => screen.paintReady(count), OF_WALLS);
const prefetch = new Prefetch(
  addresses,
  () => status.ask(),
  (address) => offline.load(address), // the cells of a wall of so many items never change
);
const watch = new Stopwatch();
const replies = new Replies(form);
const keys = new Keys(start.assessor, byId("key-hint"));
const announcer = new Announcer(byId("announcement"));
const topicPicture = new TopicPicture();
const opened = new Opened(start);
const isLeased = byId("take") !== null;
const page = { start, addresses, history, wall, status, prefetch, offline, watch, keys, opened, announcer };
page.free = start.free; // items of the topic that may be leased later
const screen = new WallScreen(page);
let [timer, isFinished, isLeaving] = [0, false, false];

// Acts

function judge(name, value, event) {
  const isRange = event?.shiftKey && keys.mode !== "alt-shift";
  const marked = isRange ? wall.marked() : [];
  const places = marked.length ? marked : wall.place ? [wall.place] : [];
  const count = act(
    places.filter((place) => name === "reason" || !screen.cells.isBroken(place)),
    { [name]: value },
  );
  closeAll();
  if (count === undefined) return;
  announcer.note(wall.place, name, value);
  if (count > 1) announcer.noteMany(count, value);
  goOn();
}

/** Gives the lowest grade to all items in sight that have no mark, but for those whose picture cannot be shown. */
function rest() {
  const [places, grade] = [screen.restPlaces(), screen.lowest];
  if (act(places, { grade }, { is_by_rest: "on" }) === undefined) return;
  announcer.noteMany(places.length, grade);
  goOn();
}

/** Makes the judgments of one act; returns how many there are, undefined if none may be made. */
function act(places, mark, more = {}) {
  if (screen.isOver || !places.length) return undefined;
  const seconds = (watch.read() / places.length).toFixed(2); // the server shares the time of a request's wall
  watch.restart();
  const made = places.map((place) => {
    const [number, cell] = cellOf(wall.walls, place);
    const fields = {
      wall: number,
      cell,
      active_seconds: seconds,
      ...(opened.has(place) && { is_opened: "on" }),
      ...more,
    };
    return events.judgment(place, mark, screen.shownAt, { stage: screen.cells.at(place), more: fields });
  });
  const changes = made.filter(Boolean);
  wall.note(changes.map(({ fields }) => fields.client_uuid));
  post(changes);
  closeCard();
  return changes.length;
}

function undo() {
  const judgments = screen.isOver ? [] : wall.lastAct();
  if (!judgments.length) return;
  isFinished = false;
  post(judgments.map(() => events.undo()));
  const { place } = judgments.at(-1);
  if (judgments.length > 1) announcer.noteMany(judgments.length);
  else announcer.noteUndo(place);
  const [number] = cellOf(wall.walls, place);
  if (number && number !== wall.number) return screen.show(number, place);
  if (number) wall.goTo(place);
  announcer.announce("");
  screen.focus();
}

function goOn() {
  wall.advance();
  announcer.announce(wall.unset().length ? "" : say("wall_done"));
  screen.focus();
}

function next() {
  if (wall.unset().length) return goOn();
  const number = wall.nextWall();
  if (number !== undefined) return screen.show(number);
  isFinished = true;
  announcer.announce(say("announce_end"));
  sender.run().then(leaveWhenSaved);
}

/** Stores the events in the browser, and sends them once the wall is finished or the assessor pauses. */
async function post(made) {
  const isDone = wall.unset().length === 0;
  paintSaved({ state: "saving" });
  clearTimeout(timer);
  if (!isDone) timer = setTimeout(() => sender.run(), SOON);
  await Promise.all(made.map((event) => outbox.add(event)));
  paintSaved({ state: "kept", count: (await delivery.waiting()).length }, start.base);
  if (isDone) sender.run();
}

// What the server says

function onStored(own, { isElsewhere }) {
  if (!isElsewhere) return;
  page.remarks.applyElsewhere(own, undefined, history);
  screen.paint();
}

function onRefused() {
  isFinished = false;
  screen.paint();
}

/** Leaves a finished topic once everything is sent: for items shown again, the list, or the next lease. */
async function leaveWhenSaved() {
  if (!isFinished || !(await delivery.isDone())) return;
  if (isLeased && page.free > 0) await page.lease.extend();
  if (!isFinished || isLeaving) return; // two callers may wait above, and only one may leave
  isLeaving = true;
  if (isLeased) byId("take").submit();
  else location.assign(start.base);
}

/** Notes that an item is opened; without a connection it says why it is not, and returns false. */
function open(place) {
  if (navigator.onLine) opened.add(place);
  else hint(say("open_offline", { place }), { isUrgent: true });
  return navigator.onLine;
}

/** Called when the server says why it serves no wall. */
function onTopicStatus(topicStatus) {
  if (topicStatus === "paused") hint(say("paused"), { isUrgent: true });
  if (topicStatus === "open" && screen.isOver) location.reload();
  if (topicStatus === "withdrawn" || topicStatus === "ended") screen.end(topicStatus);
}

function onExtended(counts) {
  history.setCount(counts.count);
  const grown = wall.extend(counts.walls);
  page.free = counts.free;
  screen.refresh(grown);
  const number = wall.nextWall();
  if (isFinished && number !== undefined) {
    isFinished = false;
    screen.show(number);
  }
}

if (!window.isSecureContext) throw new Error("judging by keys needs https");
const drafts = new Drafts(start.assessor);
page.remarks = new Remarks({ said: start.said, drafts }); // before the first wait: painting stores them
const layout = await navigator.keyboard?.getLayoutMap?.();
const zoom = () => topicPicture.zoom;
const nextPicture = () => topicPicture.next();
const ofPicture = pictureSteps({ zoom, topicPicture, nextPicture });
const steps = {
  KeyZ: undo,
  KeyU: undo,
  KeyR: rest,
  KeyN: next,
  KeyX: () => toggle("cannot", "button"),
  KeyT: () => byId("list").click(),
  KeyK: openHelp,
  "?": openHelp,
  KeyP: ofPicture.KeyP,
  KeyF: () => toggle("full-text"),
  KeyB: () => toggle("instructions"),
  Escape: closeAll,
};
const keyboard = new Keyboard({ keys, replies, steps, pictureSteps: ofPicture, judge, layout });
if (isLeased) {
  page.lease = new Lease({ address: `${start.base}lease`, watch, onExtended, isHeld: () => offline.isOn });
}
const events = new ItemEvents({ ...page, form, replies, looks: new Looks(start), mode: new Work() });
Object.assign(page, { isOver: () => screen.isOver, onStored, onRefused, onSettled: leaveWhenSaved });
const delivery = new Delivery(page);
const { outbox, sender } = delivery;
const queued = await delivery.resume(drafts);
keyboard.listen();
listenForHelp(keys, () => {
  keyboard.nameKeys(document);
  screen.paint();
});
listenToCard();
listenToCells({ wall, screen, open });
listenForClicks({ ...clickSteps({ undo, zoom, topicPicture }), rest, next }, judge);
for (const moved of ["scrollend", "resize"]) addEventListener(moved, () => screen.paint(), true);
addEventListener("visibilitychange", () => document.visibilityState === "hidden" && sender.run());
byId("keys").hidden = byId("grades").disabled = false;
listenToConnection();
offline.start(start.worker);
const returned = Number(location.hash.slice(1)); // the place of an item that was opened
const isGraded = queued.some(({ place, fields }) => place === returned && "is_opened" in fields);
await screen.show(start.place, returned || undefined);
if (isGraded) goOn();
else if (!wall.unset().length && !returned) next();
if (queued.length) timer = setTimeout(() => sender.run(), returned ? SOON : 0);
keyboard.nameKeys(document);

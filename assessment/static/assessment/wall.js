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
import { paintOwn } from "./own.js";
import { closeAll, toggle } from "./pops.js";
import { Prefetch } from "./prefetch.js";
import { Remarks } from "./remarks.js";
import { Replies } from "./replies.js";
import { listenToConnection, paintReady, paintSaved } from "./saved.js";
import { Status } from "./status.js";
import { clickSteps, listenForClicks, pictureSteps } from "./steps.js";
import { Stopwatch } from "./stopwatch.js";
import { say } from "./texts.js";
import { closeCard, listenToCard } from "./topic_card.js";
import { TopicPicture } from "./topic_picture.js";
import { listenToCells, Opened, WallCells } from "./wall_cells.js";
import { WallState } from "./wall_state.js";

const SOON = 10_000; // ms after the last act until the judgments of an unfinished wall are sent

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("state").textContent);
const form = byId("judgment");
const lowest = String(Math.min(...start.scale));
const history = new History(start);
const wall = new WallState(history, start.walls);
const addresses = new WallAddresses(start);
const status = new Status(start.status, onTopicStatus);
const prefetch = new Prefetch(addresses, () => status.ask());
const offline = new OfflineItems(start, addresses, onReady, OF_WALLS);
const watch = new Stopwatch();
const replies = new Replies(form);
const keys = new Keys(start.assessor, byId("key-hint"));
const announcer = new Announcer(byId("announcement"));
const topicPicture = new TopicPicture();
const opened = new Opened(start);
const isLeased = byId("take") !== null;
let cells; // of the wall on the page
let [free, shownAt, timer, wanted] = [start.free, new Date(), 0, start.place];
let [isOver, isFinished, isLeaving] = [false, false, false];

// Acts

function judge(name, value, event) {
  const isRange = event?.shiftKey && keys.mode !== "alt-shift";
  const marked = isRange ? wall.marked() : [];
  const places = marked.length ? marked : wall.place ? [wall.place] : [];
  const count = act(
    places.filter((place) => name === "reason" || !cells.isBroken(place)),
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
  const places = restPlaces();
  if (!places.length || act(places, { grade: lowest }, { is_by_rest: "on" }) === undefined) return;
  announcer.noteMany(places.length, lowest);
  goOn();
}

const restPlaces = () => wall.unset(cells.inSight()).filter((place) => !cells.isBroken(place));

/** Makes the judgments of one act; returns how many there are, undefined if none may be made. */
function act(places, mark, more = {}) {
  if (isOver || !places.length) return undefined;
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
    return events.judgment(place, mark, shownAt, { stage: cells.at(place), more: fields });
  });
  const changes = made.filter(Boolean);
  wall.note(changes.map(({ fields }) => fields.client_uuid));
  post(changes);
  closeCard();
  return changes.length;
}

function undo() {
  const judgments = isOver ? [] : wall.lastAct();
  if (!judgments.length) return;
  isFinished = false;
  post(judgments.map(() => events.undo()));
  const { place } = judgments.at(-1);
  if (judgments.length > 1) announcer.noteMany(judgments.length);
  else announcer.noteUndo(place);
  const [number] = cellOf(wall.walls, place);
  if (number && number !== wall.number) return show(number, place);
  if (number) wall.goTo(place);
  announcer.announce("");
  focus();
}

function goOn() {
  wall.advance();
  announcer.announce(wall.unset().length ? "" : say("wall_done"));
  focus();
}

function next() {
  if (wall.unset().length) return goOn();
  const number = wall.nextWall();
  if (number !== undefined) return show(number);
  isFinished = true;
  announcer.announce(say("announce_end"));
  sender.run().then(leaveWhenSaved);
}

/** Stores the events in the browser, and sends them once the wall is finished or the assessor pauses. */
async function post(made) {
  const isDone = wall.unset().length === 0;
  clearTimeout(timer);
  if (!isDone) timer = setTimeout(() => sender.run(), SOON);
  await Promise.all(made.map((event) => outbox.add(event)));
  paintSaved({ state: "kept", count: (await delivery.waiting()).length }, start.base);
  if (isDone) sender.run();
}

// The wall on the page

async function show(number, place) {
  wanted = number;
  const isWanted = () => wanted === number && !isOver;
  const onMiss = () => hint(say("wall_not_loaded", { wall: number }), { isUrgent: true });
  if (number !== Number(byId("cells").dataset.wall)) {
    const item = prefetch.take(number) ?? (await prefetch.wait(number, isWanted, onMiss));
    if (!item) return;
    prefetch.put(wall.number, { cells: byId("cells") });
    byId("cells").replaceWith(item.cells);
  }
  begin(number, place);
}

function begin(number, place) {
  if (cells?.list !== byId("cells")) cells = new WallCells(byId("cells"), paint);
  const open = new Set(history.openPlaces(0));
  const places = cells.places.filter((each) => open.has(each) || history.at(each));
  wall.show(number, places, place);
  shownAt = new Date();
  watch.restart();
  window.history.replaceState(null, "", addresses.page(number));
  document.title = `${say("wall_title", { wall: number, walls: wall.walls.length })} · Trackside`;
  announcer.announce(say("announce_wall", { wall: number, walls: wall.walls.length, count: places.length }));
  hint("");
  focus();
  prefetch.prepare(wall.openWalls(number, 1), [number - 1]);
  lease?.update(open.size, free);
}

/** Paints everything that follows from the history, and gives the cell at the cursor the focus. */
function focus() {
  paint();
  cells.at(wall.place)?.focus();
}

function paint() {
  if (isOver) return;
  const { place, number, walls } = wall;
  cells.paint({ history, place, marked: wall.marked(), opened, isTabbed: keys.mode === "off" });
  paintOwn(history, place, start);
  const total = history.count + free;
  const [left, lastAct] = [wall.unset().length, wall.lastAct().length];
  byId("place").textContent = say("place", { place: byId("progress").value, total });
  byId("wall-number").textContent = say("wall_number", { wall: number, walls: walls.length });
  if (lastAct > 1) byId("undo-last").firstElementChild.textContent = say("undo_many", { count: lastAct });
  const count = restPlaces().length;
  byId("rest").firstElementChild.textContent = say("rest", { grade: lowest, count });
  byId("rest").disabled = count === 0;
  byId("next").disabled = left > 0;
  offline.update({ history: wallHistory, remarks, place: number, free });
}

/** The history by wall, as the store for work without a connection reads that of items. */
const wallHistory = {
  openPlaces: (after, count) => wall.openWalls(after, count),
  snapshot: () => ({ ...history.snapshot(), walls: wall.walls }),
};

function onReady(count) {
  const ready = wall.openWalls(wall.number - 1, count).map((number) => wall.unset(wall.walls[number - 1]).length);
  paintReady(ready.reduce((sum, each) => sum + each, 0));
}

// What the server says

function onStored(own, { isElsewhere }) {
  if (!isElsewhere) return;
  remarks.applyElsewhere(own, undefined, history);
  paint();
}

function onRefused() {
  isFinished = false;
  paint();
}

/** Leaves a finished topic once everything is sent: for items shown again, the list, or the next lease. */
async function leaveWhenSaved() {
  if (!isFinished || !(await delivery.isDone())) return;
  if (isLeased && free > 0) await lease.extend();
  if (!isFinished || isLeaving) return; // two callers may wait above, and only one may leave
  isLeaving = true;
  if (isLeased) byId("take").submit();
  else location.assign(start.base);
}

/** Called when the server says why it serves no wall. */
function onTopicStatus(topicStatus) {
  if (topicStatus === "paused") hint(say("paused"), { isUrgent: true });
  if (topicStatus === "open" && isOver) location.reload();
  if (topicStatus !== "withdrawn" && topicStatus !== "ended") return;
  isOver = true;
  const panel = document.createElement("div");
  [panel.id, panel.className] = ["cells", "stage"];
  panel.append(byId(topicStatus).content.cloneNode(true));
  byId("cells").replaceWith(panel);
  byId("grades").disabled = byId("rest").disabled = byId("next").disabled = true;
  announcer.announce(byId("over-title").textContent);
}

function onExtended(counts) {
  history.setCount(counts.count);
  [free, wall.walls] = [counts.free, counts.walls];
  const number = wall.nextWall();
  if (isFinished && number !== undefined) {
    isFinished = false;
    show(number);
  }
}

if (!window.isSecureContext) throw new Error("judging by keys needs https");
const drafts = new Drafts(start.assessor);
const remarks = new Remarks({ said: start.said, drafts }); // before the first wait: painting stores them
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
const lease = isLeased
  ? new Lease({ address: `${start.base}lease`, watch, onExtended, isHeld: () => offline.isOn })
  : undefined;
const events = new ItemEvents({
  form,
  addresses,
  history,
  remarks,
  replies,
  looks: new Looks(start),
  mode: new Work(),
  watch,
});
const page = { start, addresses, history, status, announcer, remarks, isOver: () => isOver };
const delivery = new Delivery({ ...page, onStored, onRefused, onSettled: leaveWhenSaved });
const { outbox, sender } = delivery;
const queued = await delivery.resume(drafts);
keyboard.listen();
listenForHelp(keys, () => {
  keyboard.nameKeys(document);
  paint();
});
listenToCard();
listenToCells({ wall, opened, paint, focus, stepOf: (key) => (isOver ? undefined : cells.stepOf(key)) });
listenForClicks({ ...clickSteps({ undo, zoom, topicPicture }), rest, next }, judge);
addEventListener("scrollend", paint, true);
addEventListener("resize", paint);
addEventListener("visibilitychange", () => document.visibilityState === "hidden" && sender.run());
byId("keys").hidden = byId("grades").disabled = false;
listenToConnection();
offline.start(start.worker);
const returned = Number(location.hash.slice(1)); // the place of an item that was opened
const isGraded = queued.some(({ place, fields }) => place === returned && "is_opened" in fields);
await show(start.place, returned || undefined);
if (isGraded) goOn();
else if (!wall.unset().length && !returned) next();
if (queued.length) timer = setTimeout(() => sender.run(), returned ? SOON : 0);
keyboard.nameKeys(document);

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
import { isNominal } from "./marks.js";
import { cellOf, placeIn, Work } from "./modes.js";
import { News } from "./news.js";
import { OF_WALLS, OfflineItems } from "./offline.js";
import { hashOf, seenOn } from "./picture.js";
import { closeAll, toggle } from "./pops.js";
import { Prefetch } from "./prefetch.js";
import { Remarks } from "./remarks.js";
import { Replies } from "./replies.js";
import { listenToConnection, paintSaved } from "./saved.js";
import { Status } from "./status.js";
import { answerNominal, clickSteps, listenForClicks, pictureSteps } from "./steps.js";
import { Stopwatch } from "./stopwatch.js";
import { say } from "./texts.js";
import { closeCard, listenToCard } from "./topic_card.js";
import { TopicPicture } from "./topic_picture.js";
import { listenToCells, Opened } from "./wall_cells.js";
import { fieldsAgain, WallReplies } from "./wall_replies.js";
import { WallScreen } from "./wall_screen.js";
import { WallState } from "./wall_state.js";
import "./zone.js";

const SOON = 10_000; // ms after the last act until the judgments of an unfinished wall are sent

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("state").textContent);
const form = byId("judgment");
const history = new History(start);
const wall = new WallState(history, start.walls, start.singles);
const addresses = new WallAddresses(start, wall);
const status = new Status(start.status, onTopicStatus);
const offline = new OfflineItems(start, addresses, (count) => screen.paintReady(count), OF_WALLS);
const news = new News(start, (found) => delivery.applyNews(found));
offline.request = (address) => news.fetch(address);
const prefetch = new Prefetch(
  addresses,
  () => status.ask(),
  (address) => offline.load(address), // the cells of a wall of so many items never change
);
const watch = new Stopwatch();
const replies = new Replies(form, () => screen.focus());
const asked = new WallReplies(start, history);
const keys = new Keys(start.assessor, byId("key-hint"));
const announcer = new Announcer(byId("announcement"));
const topicPicture = new TopicPicture();
const opened = new Opened(start);
const isLeased = byId("take") !== null;
const page = { start, addresses, history, wall, status, prefetch, offline, watch, keys, opened, announcer };
page.free = start.free; // items of the topic that may be leased later
const screen = new WallScreen(page);
const { machine } = screen;
let timer = 0;

// Acts

function judge(name, value, event) {
  const isRange = event?.shiftKey && keys.mode !== "alt-shift";
  const marked = isRange ? wall.marked() : [];
  const isAnswer = name === "grade" || isNominal(value);
  const isSeen = (place) => !isAnswer || screen.isGradeable(place, name);
  const here = wall.place && machine.mayJudge ? [wall.place] : [];
  const places = marked.length ? marked : isAnswer && here.some(isSeen) ? screen.alikeWith(wall.place) : here;
  if (machine.mayJudge && places.length && !places.some(isSeen))
    hint(screen.whyNot(places[0], name), { isUrgent: true });
  else if (name === "grade" && !replies.areComplete()) return;
  const isCopied = !marked.length && isAnswer;
  const count = act(places.filter(isSeen), () => ({ [name]: value }), { isCopied });
  closeAll();
  if (count === undefined) return;
  announcer.note(wall.place, name, value);
  if (count > 1) announcer.noteMany(count, value);
  goOn();
}

/** Gives the lowest grade to all items in sight that have no mark, but for those whose picture cannot be shown. */
function rest() {
  const [places, grade] = [screen.restPlaces(), screen.lowest];
  if (places.length && !replies.areComplete()) return;
  if (act(places, () => ({ grade, is_by_rest: "on" })) === undefined) return;
  announcer.noteMany(places.length, grade);
  goOn();
}

function showReplies() {
  asked.show(wall.number, wall.walls[wall.number - 1] ?? [], replies);
}

/** Gives the wall's judgments again, all or none, with the reply that was changed: it holds for the wall. */
function replyAnew() {
  if (!screen.cells) return; // the page loads
  hint("");
  screen.stay();
  asked.keep(wall.number, replies.given());
  const places = screen.judgedPlaces();
  if (!places.length || !replies.areComplete()) return;
  const isGrade = (place) => typeof history.at(place).mark === "number";
  const unseen = places.find((place) => isGrade(place) && !screen.cells.isGradeable(place, opened));
  if (unseen) hint(screen.cells.whyNot(unseen), { isUrgent: true });
  const count = unseen ? undefined : act(places, (place) => fieldsAgain(history.at(place), replies));
  if (count === undefined) return replies.show(asked.at(wall.number, places));
  announcer.announce(say("announce_replied", { count }));
  screen.paint();
}

/**
 * Makes the judgments of one act, with the fields `markAt(place)`; returns their number, undefined without any.
 * `isCopied`: the first one's mark is that of the others, which look alike.
 */
function act(places, markAt, { isCopied = false } = {}) {
  if (!machine.mayJudge || !places.length) return undefined;
  const seconds = (watch.read() / places.length).toFixed(2); // the server shares the time of a request's wall
  watch.restart();
  const made = places.map((place) => {
    const [number, cell] = cellOf(wall.walls, place);
    const [shown, isSeen] = [screen.cells.at(place), screen.cells.isGradeable(place, opened)];
    const isOpened = opened.has(place);
    const isCopy = isCopied && place !== places[0];
    const fields = {
      ...(isSeen && seenOn(shown)),
      ...(!wall.isSingle(place) && { wall: number, cell, ...(isOpened && { is_opened: "on" }) }),
      active_seconds: seconds,
      ...(isCopy && { copied_from: history.at(places[0]).client_uuid }),
      ...(isOpened && isSeen && { seen: "whole" }),
    };
    return events.judgment(place, markAt(place), screen.shownAt, { hash: isSeen ? hashOf(shown) : "", more: fields });
  });
  for (const place of places) delivery.conflicts.settle(place);
  const changes = made.filter(Boolean);
  wall.note(changes.map(({ fields }) => fields.client_uuid));
  post(changes);
  closeCard();
  return changes.length;
}

function undo() {
  const judgments = machine.mayUndo ? wall.lastAct() : [];
  if (!judgments.length) return;
  post(judgments.map(() => events.undo()));
  showReplies();
  const { place } = judgments.at(-1);
  if (judgments.length > 1) announcer.noteMany(judgments.length);
  else announcer.noteUndo(place);
  const [number] = cellOf(wall.walls, place);
  if (number && (number !== wall.number || !machine.mayJudge)) return screen.show(number, place);
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
  if (!machine.mayJudge) return;
  if (wall.unset().length) return goOn();
  const number = wall.nextWall();
  if (number !== undefined) return screen.show(number);
  machine.send("finish");
  announcer.announce(say("announce_end"));
  sender.run().then(leaveWhenSaved);
}

/** Stores the events in the browser, and sends them once the wall is finished or the assessor pauses. */
async function post(made) {
  const isDone = wall.unset().length === 0;
  paintSaved({ state: "saving" });
  clearTimeout(timer);
  if (!isDone) timer = setTimeout(() => sender.run(), SOON);
  for (const event of made) sender.tell({ state: "added", event });
  await Promise.all(made.map((event) => outbox.add(event)));
  paintSaved({ state: "kept", count: (await delivery.waiting()).length }, start.base);
  if (isDone) sender.run();
}

// What the server says

function onStored(own, { isElsewhere, receipt }) {
  if (screen.isPaused) hint("");
  screen.isPaused = false;
  if (isElsewhere && !receipt.current) page.remarks.applyElsewhere(own);
  if (isElsewhere || receipt.current) screen.paint();
}

function onRefused() {
  machine.send("reopen");
  screen.paint();
}

/** Applies a change of other pages to the history; the cursor leaves a cell that was open before. */
function change(apply) {
  const isOpen = wall.place !== undefined && !history.at(wall.place);
  apply();
  showReplies();
  if (!isOpen || !history.at(wall.place)) return screen.paint();
  wall.advance();
  screen.focus();
}

/** Called when a conflict is decided, with the judgment to send, if there is one. */
function onChosen(event) {
  if (event) post([event]);
  screen.paint();
}

/** Leaves a finished topic once everything is sent: for items shown again, the list, or the next lease. */
async function leaveWhenSaved() {
  if (machine.state !== "finished" || !(await delivery.isDone())) return;
  if (isLeased && page.free > 0) await page.lease.extend();
  if (machine.state !== "finished" || !machine.send("leave")) return; // two callers may wait above: one may leave
  if (isLeased) byId("take").submit();
  else location.assign(start.base);
}

/** Notes that an item is opened; without a connection it says why it is not, and returns false. */
function open(place) {
  if (navigator.onLine) {
    opened.add(place);
    machine.send("leave");
  } else hint(say(start.asks_each ? "open_later" : "open_offline", { place }), { isUrgent: true });
  return navigator.onLine;
}

/** Called when the server says why it serves no wall. */
function onTopicStatus(topicStatus) {
  screen.isPaused = topicStatus === "paused";
  if (screen.isPaused) hint(say("paused"), { isUrgent: true });
  if (topicStatus === "open" && screen.isOver) location.reload();
  if (topicStatus === "withdrawn" || topicStatus === "ended") screen.end(topicStatus);
}

function onExtended(counts) {
  history.setCount(counts.count);
  const grown = wall.extend(counts.walls, counts.singles);
  page.free = counts.free;
  screen.refresh(grown);
  const number = wall.nextWall();
  if (machine.state === "finished" && number !== undefined) screen.show(number);
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
  KeyH: (event) => answerNominal(event, judge),
  KeyY: () => replies.focus(),
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
Object.assign(page, { isOver: () => screen.isOver, onStored, onRefused, change, onChosen, showReplies });
const delivery = new Delivery(Object.assign(page, { onSettled: leaveWhenSaved }));
const { outbox, sender } = delivery;
page.conflicts = delivery.conflicts;
const queued = await delivery.resume(drafts);
keyboard.listen();
listenForHelp(keys, () => {
  keyboard.nameKeys(document);
  screen.paint();
});
listenToCard();
listenToCells({ wall, screen, open });
byId("questions")?.addEventListener("change", replyAnew);
listenForClicks({ ...clickSteps({ undo, zoom, topicPicture }), rest, next }, judge);
for (const moved of ["scrollend", "resize", "toggle"]) addEventListener(moved, () => screen.paint(), true);
addEventListener("visibilitychange", () => document.visibilityState === "hidden" && sender.run());
listenToConnection();
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
if (Number(byId("cells").dataset.wall) === start.place) {
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  offline.keep(addresses.content(start.place), new Response(byId("cells").outerHTML, { headers }));
}
offline.start(start.worker);
const ahead = wall.openWalls(start.place, 1)[0] ?? start.place;
await news.read(ahead, prefetch, (address) => offline.fetch(address));
byId("keys").hidden = byId("grades").disabled = false; // from here on keys count
const [returned, isGraded] = placeIn(location.hash); // of an item that was opened
await screen.show(start.place, returned);
if (isGraded && history.at(returned)) goOn();
else if (!wall.unset().length && !returned) next();
if (queued.length) timer = setTimeout(() => sender.run(), returned ? SOON : 0);
keyboard.nameKeys(document);
replies.nameDigits();

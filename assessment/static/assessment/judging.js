// The judging screen. Without this script the page is a plain form that works item by item. With it the next items
// are prefetched, every step has a key, and judgments survive a lost connection.

import { Addresses } from "./addresses.js";
import { Announcer } from "./announcer.js";
import { Delivery } from "./delivery.js";
import { Drafts } from "./drafts.js";
import { listenForHelp } from "./help.js";
import { hint } from "./hint.js";
import { History } from "./history.js";
import { ItemEvents } from "./item_events.js";
import { ItemScreen } from "./item_screen.js";
import { Keyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { Lease } from "./lease.js";
import { Looks } from "./looks.js";
import { isNominal } from "./marks.js";
import { modeOf } from "./modes.js";
import { News } from "./news.js";
import { OfflineItems } from "./offline.js";
import { paintOwn } from "./own.js";
import { hashOf, isBroken, isInSight, isLoaded, seenOn } from "./picture.js";
import { toggle } from "./pops.js";
import { Prefetch } from "./prefetch.js";
import { Remarks } from "./remarks.js";
import { Replies } from "./replies.js";
import { listenToConnection, paintReady, paintSaved } from "./saved.js";
import { Status } from "./status.js";
import { answerNominal, clickSteps, keySteps, listenForClicks, pictureSteps } from "./steps.js";
import { Stopwatch } from "./stopwatch.js";
import { Terms } from "./terms.js";
import { say } from "./texts.js";
import { closeCard, listenToCard } from "./topic_card.js";
import { TopicPicture } from "./topic_picture.js";
import { Zoom } from "./zoom.js";
import "./zone.js";

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("state").textContent);
const form = byId("judgment");
const history = new History(start);
const addresses = new Addresses(start);
const status = new Status(start.status, onTopicStatus);
const prefetch = new Prefetch(addresses, () => status.ask());
const offline = new OfflineItems(start, addresses, paintReady);
const watch = new Stopwatch();
const replies = new Replies(form);
const keys = new Keys(start.assessor, byId("key-hint"));
const announcer = new Announcer(byId("announcement"), byId("flag"));
const mode = modeOf(start, announcer);
const looks = new Looks(start);
const zoom = new Zoom(byId("fact"));
const topicPicture = new TopicPicture();
const terms = new Terms(start.assessor, () => [byId("stage"), byId("caption"), byId("full-text")]);
const isLeased = byId("take") !== null;
const page = { addresses, history, mode, prefetch, watch, zoom, terms, announcer, replies, looks, paintMarks };
page.free = start.free; // items of the topic that may be leased later
page.ahead = mode.isFromWall ? 0 : 3; // items prefetched
const screen = new ItemScreen(page, start.place);
const { machine } = screen;

// Steps

function judge(name, value) {
  const isSeen = isInSight(byId("stage"));
  const isAnswer = name === "grade" || isNominal(value);
  if (!machine.mayJudge || (isAnswer && !isSeen)) return isSeen || sayWhyNot();
  if (name === "grade" && !replies.areComplete()) return;
  const { place, shownAt } = screen;
  if (!mode.mayGrade(history.at(place)?.mark)) return;
  const stage = byId("stage");
  const shown = isSeen ? { hash: hashOf(stage), more: seenOn(stage) } : { hash: "" };
  const event = events.judgment(place, { [name]: value }, shownAt, shown);
  delivery.conflicts.settle(place);
  if (event) post(event);
  announcer.note(place, name, value);
  closeCard();
  if (!mode.staysAtItem()) return goOn();
  paintMarks();
  byId("next").focus();
}

function sayWhyNot() {
  if (!machine.mayJudge || isBroken(byId("stage"))) return;
  hint(say(isLoaded(byId("stage")) ? "too_small" : "not_decoded", { place: screen.place }), { isUrgent: true });
}

/** Opens the list of reasons; if the picture cannot be shown, sends the reason that is chosen in its panel. */
function cannotJudge() {
  const why = byId("stage").querySelector("[name=why]:checked");
  if (isBroken(byId("stage")) && why) judge("reason", why.value);
  else toggle("cannot", "button");
}

function undo() {
  const event = machine.mayUndo ? events.undo() : undefined;
  if (!event) return;
  post(event);
  announcer.noteUndo(event.place);
  screen.show(event.place);
}

function goOn() {
  if (mode.isFromWall) return leaveForWall({ isGraded: true });
  const [next] = history.openPlaces(screen.place, 1);
  if (next !== undefined) return screen.show(next);
  if (!machine.send("finish")) return;
  announcer.announce(say("announce_end"));
  paintMarks();
  delivery.sender.run().then(leaveWhenSaved);
}

function leaveForWall(way) {
  if (machine.state === "leaving" || !machine.send("leave")) return;
  mode.leave(screen.place, way);
}

/** Leaves a finished topic for its list or the next lease, once everything is sent and all refusals are read. */
async function leaveWhenSaved() {
  if (machine.state !== "finished" || !(await delivery.isDone())) return;
  if (isLeased && page.free > 0) await page.lease.extend();
  if (machine.state !== "finished" || !machine.send("leave")) return; // two callers may wait above: one may leave
  if (isLeased) byId("take").submit();
  else location.assign(byId("list").href);
}

async function post(event) {
  paintSaved({ state: "saving" });
  delivery.sender.tell({ state: "added", event });
  await delivery.outbox.add(event);
  if (!mode.isFromWall) delivery.sender.run(); // the wall's page sends it with the others
}

// What the server says

/** Called when the server has stored an event of this surface. */
function onStored(own, { receipt, isElsewhere }) {
  const { place: judged } = own;
  const isHere = judged === screen.place && machine.mayJudge;
  screen.isPaused = false;
  if (isElsewhere && !receipt.current) page.remarks.applyElsewhere(own, screen.place);
  mode.onReceipt(judged, receipt, isHere);
  if (mode.isRecordHidden && isHere) showRecord(judged);
  else if (mode.isRecordHidden) prefetch.take(judged); // it was loaded without the grades on record
  if (isElsewhere) paintMarks();
  else if (isHere) mode.begin(judged, history.at(judged)?.mark);
}

/** Shows the grades on record of an item that is graded now; without a connection, its bar says when. */
async function showRecord(judged) {
  const item = await prefetch.reload(judged).catch(() => null);
  if (!item || judged !== screen.place || !machine.mayJudge) return;
  prefetch.take(judged); // nothing if two answers came at once
  byId("record").replaceWith(item.record);
  announcer.announce(say("record_shown"));
  mode.begin(judged, history.at(judged)?.mark);
}

function onRefused() {
  machine.send("reopen");
  paintMarks();
}

/** Applies a change of other pages to the history. */
function change(apply) {
  apply();
  paintMarks();
}

/** Called when a conflict is decided, with the judgment to send, if there is one. */
function onChosen(event) {
  if (event) post(event);
  paintMarks();
}

/** Called when the server says why it serves no item. */
function onTopicStatus(topicStatus) {
  screen.isPaused = topicStatus === "paused";
  if (topicStatus === "withdrawn") machine.send("withdraw");
  if (topicStatus === "ended") machine.send("end");
  if (topicStatus === "open" && machine.send("resume")) screen.show(screen.place);
}

/** Called when items were leased or fewer are free. */
function onExtended(counts) {
  history.setCount(counts.count);
  page.free = counts.free;
  if (machine.state === "finished" && history.openPlaces(screen.place, 1).length) return goOn();
  if (!machine.mayJudge) return; // the screen does this when the loading item is shown
  screen.paintPlace();
  screen.prefetchNext();
}

/** Paints everything that depends on the current marks. */
function paintMarks() {
  const { place } = screen;
  paintOwn(history, place, { ...start, free: page.free });
  mode.begin(place, history.at(place)?.mark);
  offline.update({ history, remarks: page.remarks, place, free: page.free });
}

// Browsers offer crypto.randomUUID with https only; without it the plain form still works.
if (!window.isSecureContext) throw new Error("judging by keys needs https");
const layout = await navigator.keyboard?.getLayoutMap?.();
const does = {
  undo,
  cannotJudge,
  answerNominal: (event) => answerNominal(event, judge),
  goOn,
  topicPicture,
  zoom: () => (topicPicture.isOpen ? topicPicture.zoom : zoom),
  nextPicture: () => (topicPicture.isOpen ? topicPicture.next() : screen.nextPicture()),
  retry: () => screen.retry(),
  goBack: () => (mode.isFromWall ? leaveForWall() : screen.show(Math.max(screen.place - 1, 1))),
  reply: () => replies.focus(),
  markTerms: () => terms.toggle(),
};
const [steps, ofPicture] = [keySteps(does), pictureSteps(does)];
page.keyboard = new Keyboard({ keys, replies, steps, pictureSteps: ofPicture, judge, layout });
const isOver = () => machine.isOver;
const delivery = new Delivery(
  Object.assign(page, { start, status, isOver, onStored, onRefused, change, onChosen, onSettled: leaveWhenSaved }),
);
if (isLeased) {
  page.lease = new Lease({ address: `${start.base}lease`, watch, onExtended, isHeld: () => offline.isOn });
}
const drafts = new Drafts(start.assessor);
page.remarks = new Remarks({
  said: start.said,
  comment: byId("comment"),
  flag: byId("flag"),
  drafts,
  make: (judged, fields) => addresses.event("remark", judged, fields),
  post,
  onDraft: () => paintSaved({ state: "draft" }),
});
const events = new ItemEvents({ form, ...page });
byId("grades").disabled = true; // until keys count
await delivery.resume(drafts);
page.keyboard.listen();
listenForHelp(keys, () => page.keyboard.nameKeys(document));
listenToCard();
listenForClicks(clickSteps(does), judge);
paintMarks();
listenToConnection();
if (mode.isFromWall) byId("back").firstChild.textContent = `${say("to_wall")} `;
else offline.start(start.worker);
terms.paint();
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
const news = new News(start, (found) => delivery.applyNews(found));
const ahead = mode.isFromWall ? [] : history.openAhead(screen.place, 1);
const wasGraded = history.at(screen.place) !== undefined;
await news.read(ahead[0] ?? screen.place, prefetch);
byId("keys").hidden = false; // from here on keys count
screen.paintInputs();
if (mode.isFromWall) replies.fix(start.asked_once ?? []);
const isPassed = location.hash === "#next" && history.at(screen.place) !== undefined; // its judgment waits here
screen.start({ isLook: !isPassed });
if (isPassed) goOn();
else if (mode.isRecordHidden && !wasGraded && history.at(screen.place)) showRecord(screen.place);
// The page of a wall could be read before a judgment that is sent from here is stored, and would not show it.
if (!mode.isFromWall) delivery.sender.run();
page.keyboard.nameKeys(document);
replies.nameDigits();

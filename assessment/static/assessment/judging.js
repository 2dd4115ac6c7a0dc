// The judging screen. Without this script the page is a plain form that works item by item; with it the next items
// are there before they are needed, every step has a key, and judgments outlive a lost connection.

import { Announcer } from "./announcer.js";
import { Courier } from "./courier.js";
import { Drafts } from "./drafts.js";
import { listenForHelp } from "./help.js";
import { hint } from "./hint.js";
import { History, judgmentOf } from "./history.js";
import { Keyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { Lease } from "./lease.js";
import { layOutLong } from "./long_picture.js";
import { baseOf, Outbox } from "./outbox.js";
import { paintOwn } from "./own.js";
import { hashOf, isBroken, retryPicture, settleInTime } from "./picture.js";
import { closeAll, toggle } from "./pops.js";
import { Refusals } from "./refusals.js";
import { isRemark, Remarks } from "./remarks.js";
import { Replies } from "./replies.js";
import { paintSaved } from "./saved.js";
import { Shelf } from "./shelf.js";
import { clickSteps, keySteps } from "./steps.js";
import { Stopwatch } from "./stopwatch.js";
import { Terms } from "./terms.js";
import { closeCard, listenToCard } from "./topic_card.js";
import { Zoom } from "./zoom.js";

const AHEAD = 3; // items kept ready
const RETRY = 3_000; // ms until an item that could not be had is asked for again

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("state").textContent);
const form = byId("judgment");
const history = new History(start);
const shelf = new Shelf(start.base);
const watch = new Stopwatch();
const replies = new Replies(form);
const keys = new Keys(start.assessor, byId("key-hint"));
const announcer = new Announcer(byId("announcement"));
const zoom = new Zoom(byId("fact"));
const terms = new Terms(byId("terms"), byId("topic-title"), () => [byId("stage"), byId("caption"), byId("full-text")]);
const isLeased = byId("take") !== null;
let free = start.free; // items of the topic that may be leased later
let place = start.place;
let shownAt = new Date();
let isShown = true;
let isFinished = false;
let isUnkept = false; // whether judgments would go with the page

// Steps

function judge(name, value) {
  if (!isShown || (name === "grade" && (isBroken(byId("stage")) || !replies.areComplete()))) return;
  record({ [name]: value });
  announcer.note(place, name, value);
  closeCard();
  goOn();
}

/** Keeps the mark with all that goes with it, unless it stands so already. */
function record(mark) {
  remarks.commit();
  const { comment, is_flagged: isFlagged } = remarks.at(place);
  const fields = { ...mark, comment, ...replies.given(), client_uuid: crypto.randomUUID() };
  if (isFlagged) fields.is_flagged = "on";
  if (!history.add(judgmentOf(place, fields))) return;
  const event = make("judgment", place, {
    ...fields,
    criteria_version: form.elements.criteria_version.value,
    image_sha256: hashOf(byId("stage")),
    shown_at: shownAt.toISOString(),
    active_seconds: watch.read().toFixed(2),
  });
  post(event);
}

/** A key opens the reasons; beside a picture that cannot be shown, where one is chosen already, it takes that. */
function cannotJudge() {
  if (isBroken(byId("stage"))) judge("reason", byId("stage").querySelector("[name=why]:checked").value);
  else toggle("cannot", "button");
}

function undo() {
  const last = history.takeBack();
  if (!last) return;
  post(make("undo", last.place, { undoes: last.client_uuid, client_uuid: crypto.randomUUID() }));
  announcer.noteUndo(last.place);
  show(last.place);
}

function goOn() {
  const [next] = history.openPlaces(place, 1);
  if (next !== undefined) return show(next);
  isFinished = true;
  announcer.tell("All items are judged.");
  paintOwn(history, place, start);
  courier.run().then(leaveWhenSaved);
}

const isOfThisTopic = (event) => baseOf(event) === start.base;

/** What waits of this topic, oldest first. */
const waiting = async () => (await outbox.look()).waiting.filter(isOfThisTopic);

/** All items are judged: to their list or the next lease, once nothing of them waits to be sent or to be read. */
async function leaveWhenSaved() {
  if (!isFinished || !refusals.areRead || (await waiting()).length > 0) return;
  if (isLeased && free > 0) await lease.extend();
  if (!isFinished) return;
  if (isLeased) byId("take").submit();
  else location.assign(byId("list").href);
}

/** An event of the outbox: `what` happened to the item at the place. */
function make(what, judged, fields) {
  const topic = byId("topic-title").textContent.trim();
  return { url: `${start.base}items/${judged}/${what}`, place: judged, topic, fields };
}

async function post(event) {
  paintSaved({ state: "saving" });
  await outbox.add(event);
  courier.run();
}

/** What became of an event. */
function tell(news) {
  isUnkept = news.unkeptCount > 0;
  if (news.state !== "saved" || !remarks.isPending) paintSaved(news, start.base);
  announcer.tellTrouble(news.state);
  if (news.state === "saved") leaveWhenSaved();
  if (news.state !== "refused") return;
  refusals.add(news, start.base);
  if (isOfThisTopic(news.event)) takeBack(news);
}

/** What the server will not take is forgotten: what stood before it stands again. */
function takeBack({ event, isLost }) {
  history.forget(event.fields.client_uuid);
  if (isLost) history.settle(event.place);
  isFinished = false;
  paintOwn(history, place, start);
}

/** More items of the topic are there, or fewer may come. */
function grow(counts) {
  history.grow(counts.count);
  free = counts.free;
  paintPlace();
  if (isFinished && history.openPlaces(place, 1).length) goOn();
  else makeReady();
}

// The item on the screen

function show(next) {
  place = next;
  isShown = isFinished = false;
  const item = shelf.take(place);
  if (item) paint(item);
  else if (place === Number(byId("stage").dataset.place)) begin();
  else waitFor(place);
}

async function waitFor(wanted) {
  hint(`Item ${wanted} is on its way`, { isUrgent: true });
  try {
    await shelf.fetch(wanted);
  } catch {
    hint(`Item ${wanted} cannot be had now; trying again`, { isUrgent: true });
    setTimeout(() => place === wanted && !isShown && waitFor(wanted), RETRY);
    return;
  }
  if (place === wanted && !isShown) paint(shelf.take(wanted));
}

/** Puts an item on the screen; who was in the one before is in this one then. */
function paint({ stage, lens }) {
  closeAll();
  const left = { stage: byId("stage"), lens: byId("lens") };
  const isInside = left.stage.contains(document.activeElement) || left.lens.contains(document.activeElement);
  left.stage.replaceWith(stage);
  left.lens.replaceWith(lens);
  if (isInside) stage.focus({ preventScroll: true });
  shelf.put(Number(left.stage.dataset.place), left);
  keyboard.nameKeys(lens);
  keyboard.nameKeys(stage);
  begin();
}

/** The item on the screen is to be judged, for the first time or again. */
function begin() {
  isShown = true;
  shownAt = new Date();
  watch.restart();
  zoom.show(byId("stage"));
  paintInputs();
  paintPlace();
  announcer.tellPlace(byId("place").textContent, isBroken(byId("stage")));
  byId("back").href = `${start.base}items/${Math.max(place - 1, 1)}/`;
  window.history.replaceState(null, "", `${start.base}items/${place}/`);
  terms.paint();
  paintOwn(history, place, start);
  makeReady();
  if (isLeased) lease.keep(history.openPlaces(place).length, free);
}

function paintPlace() {
  const total = history.count + free;
  byId("place").textContent = `${place} of ${total}`;
  byId("progress").max = total;
  document.title = document.title.replace(/\d+ of \d+/, `${place} of ${total}`);
}

/** What goes with the grade that stands, to be seen and changed. */
function paintInputs() {
  remarks.show(place);
  replies.show(history.at(place)?.replies ?? {});
  byId("grades").disabled = isBroken(byId("stage"));
  if (isBroken(byId("stage"))) closeCard();
}

async function retry() {
  const stage = byId("stage");
  await retryPicture(stage).catch(() => {});
  paintPicture(stage);
  if (isBroken(stage)) hint("The picture still cannot be shown", { isUrgent: true });
}

/** The picture of the stage was settled after it was put on the screen. */
function paintPicture(stage) {
  if (stage !== byId("stage")) return;
  layOutLong(stage);
  zoom.show(stage);
  keyboard.nameKeys(stage);
  paintInputs();
}

async function makeReady() {
  const here = place;
  const ahead = history
    .openPlaces(here, AHEAD + 1)
    .filter((each) => each !== here)
    .slice(0, AHEAD);
  const count = await shelf.prepare(ahead, [here - 1, history.last()?.place]);
  if (place !== here) return;
  hint(ahead.length ? `Next ${count} ready` : "Last item");
}

function onClick(event) {
  const target = event.target.closest("button, a");
  const isMark = target?.matches("[name=grade], [name=reason]");
  const step = isMark ? () => judge(target.name, target.value) : clicks[target?.dataset.step ?? target?.id];
  if (!step || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (event.detail <= 1) step(); // the second half of a double click is no second judgment
}

// Without https browsers lend no UUIDs; the plain form, untouched so far, works there too.
if (!window.isSecureContext) throw new Error("judging by keys needs https");
const layout = await navigator.keyboard?.getLayoutMap?.();
const does = {
  undo,
  cannotJudge,
  retry,
  zoom,
  goBack: () => show(Math.max(place - 1, 1)),
  reply: () => replies.focus(),
  markTerms: () => terms.toggle(),
};
const clicks = clickSteps(does);
const keyboard = new Keyboard({ keys, replies, steps: keySteps(does), judge, layout });
const outbox = new Outbox(start.assessor);
const courier = new Courier(outbox, tell);
const refusals = new Refusals(byId("refused"), leaveWhenSaved);
const lease = isLeased && new Lease({ address: `${start.base}lease`, watch, onExtended: grow });
const drafts = new Drafts(start.assessor);
const remarks = new Remarks({
  said: start.said,
  comment: byId("comment"),
  flag: byId("flag"),
  drafts,
  make: (judged, fields) => make("remark", judged, fields),
  post,
  onDraft: () => paintSaved({ state: "draft" }),
});
await drafts.moveTo(outbox);
for (const event of await waiting()) (isRemark(event) ? remarks : history).takeUp(event);
keyboard.listen();
listenForHelp(keys, () => keyboard.nameKeys(document));
listenToCard();
document.addEventListener("click", onClick);
addEventListener("beforeunload", (event) => isUnkept && event.preventDefault());
byId("keys").hidden = false;
paintInputs();
paintOwn(history, place, start);
settleInTime(byId("stage"), paintPicture); // the first item's picture comes with the page, not from the shelf
makeReady();
courier.run();
keyboard.nameKeys(document);
replies.nameDigits();

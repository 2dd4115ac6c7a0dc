// The judging screen. Without this script the page is a plain form that works item by item. With it the next items
// are prefetched, every step has a key, and judgments survive a lost connection.

import { Addresses } from "./addresses.js";
import { Announcer } from "./announcer.js";
import { Drafts } from "./drafts.js";
import { listenForHelp } from "./help.js";
import { hint } from "./hint.js";
import { History, judgmentOf } from "./history.js";
import { Keyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { Lease } from "./lease.js";
import { layOutLong } from "./long_picture.js";
import { modeOf } from "./modes.js";
import { OfflineItems } from "./offline.js";
import { Outbox } from "./outbox.js";
import { paintOwn, paintPlace } from "./own.js";
import { swap } from "./parts.js";
import { hashOf, isBroken, retryPicture, settleInTime } from "./picture.js";
import { closeAll, toggle } from "./pops.js";
import { Prefetch } from "./prefetch.js";
import { Refusals } from "./refusals.js";
import { isRemark, Remarks } from "./remarks.js";
import { Replies } from "./replies.js";
import { listenToConnection, paintReady, paintSaved } from "./saved.js";
import { Sender } from "./sender.js";
import { clickSteps, keySteps, listenForClicks } from "./steps.js";
import { Stopwatch } from "./stopwatch.js";
import { Terms } from "./terms.js";
import { say } from "./texts.js";
import { closeCard, listenToCard, showCard } from "./topic_card.js";
import { Zoom } from "./zoom.js";

const AHEAD = 3; // items prefetched

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("state").textContent);
const form = byId("judgment");
const history = new History(start);
const addresses = new Addresses(start);
const prefetch = new Prefetch(addresses);
const offline = new OfflineItems(start, addresses, paintReady);
const watch = new Stopwatch();
const replies = new Replies(form);
const keys = new Keys(start.assessor, byId("key-hint"));
const announcer = new Announcer(byId("announcement"), byId("flag"));
const mode = modeOf(start, announcer);
const zoom = new Zoom(byId("fact"));
const terms = new Terms(start.assessor, () => [byId("stage"), byId("caption"), byId("full-text")]);
const isLeased = byId("take") !== null;
let free = start.free; // items of the topic that may be leased later
let place = start.place;
let shownAt = new Date();
let isShown = true;
let isFinished = false;
let isUnkept = false; // whether judgments would be lost if the page closed

// Steps

function judge(name, value) {
  if (!isShown || (name === "grade" && (isBroken(byId("stage")) || !replies.areComplete()))) return;
  if (!mode.mayGrade(history.at(place)?.mark)) return;
  record({ [name]: value });
  announcer.note(place, name, value);
  closeCard();
  if (!mode.showsExpected()) return goOn();
  paintMarks();
  byId("next").focus();
}

/** Adds the mark with comment, flag and replies to the history and the outbox, unless it changes nothing. */
function record(mark) {
  remarks.commit();
  const { comment, is_flagged: isFlagged } = remarks.at(place);
  const fields = { ...mark, comment, ...replies.given(), client_uuid: crypto.randomUUID() };
  if (isFlagged) fields.is_flagged = "on";
  if (!history.add(judgmentOf(place, fields))) return;
  const event = addresses.event("judgment", place, {
    ...fields,
    criteria_version: form.elements.criteria_version.value,
    image_sha256: hashOf(byId("stage")),
    shown_at: shownAt.toISOString(),
    active_seconds: watch.read().toFixed(2),
  });
  post(event);
}

/** Opens the list of reasons; if the picture cannot be shown, sends the reason that is chosen in its panel. */
function cannotJudge() {
  const why = byId("stage").querySelector("[name=why]:checked");
  if (isBroken(byId("stage")) && why) judge("reason", why.value);
  else toggle("cannot", "button");
}

function undo() {
  const last = history.undoLast();
  if (!last) return;
  post(addresses.event("undo", last.place, { undoes: last.client_uuid, client_uuid: crypto.randomUUID() }));
  announcer.noteUndo(last.place);
  show(last.place);
}

function goOn() {
  const [next] = history.openPlaces(place, 1);
  if (next !== undefined) return show(next);
  isFinished = true;
  announcer.announce(say("announce_end"));
  paintMarks();
  sender.run().then(leaveWhenSaved);
}

/** The waiting events of this surface, oldest first. */
const waiting = async () => addresses.own((await outbox.look()).waiting);

/** Leaves a finished topic for its list or the next lease, once everything is sent and all refusals are read. */
async function leaveWhenSaved() {
  if (!isFinished || !refusals.areRead || (await waiting()).length > 0) return;
  if (isLeased && free > 0) await lease.extend();
  if (!isFinished) return;
  isFinished = false; // two callers may wait above, and only one may leave
  if (isLeased) byId("take").submit();
  else location.assign(byId("list").href);
}

async function post(event) {
  paintSaved({ state: "saving" });
  await outbox.add(event);
  sender.run();
}

/** Called by the sender with the status of an event. */
function onStatus(news) {
  isUnkept = news.unkeptCount > 0;
  if (news.state !== "saved" || !remarks.isPending) paintSaved(news, start.base);
  announcer.announceTrouble(news.state);
  if (news.state === "saved") {
    onReceipt(news);
    if (news.receipt.note) refusals.add(news, start.base);
    leaveWhenSaved();
  }
  if (news.state !== "refused") return;
  refusals.add(news, start.base);
  if (addresses.own([news.event]).length) forgetRefused(news);
}

/** Called when the server has stored an event. */
function onReceipt({ event, receipt, isElsewhere }) {
  const [own] = addresses.own([event]);
  if (!own) return;
  if (isElsewhere) remarks.applyElsewhere(own, place, history);
  if (receipt.latest_version > form.elements.criteria_version.value) byId("changed").hidden = false;
  const { place: judged } = own;
  mode.onReceipt(judged, receipt, judged === place && isShown);
  if (isElsewhere) paintMarks();
  else if (judged === place && isShown) mode.begin(place, history.at(place)?.mark);
}

/** Forgets a judgment that the server refused; the previous one becomes current again. */
function forgetRefused({ event, isLost }) {
  history.forget(event.fields.client_uuid);
  if (isLost) history.settle(event.place);
  isFinished = false;
  paintMarks();
}

/** Paints everything that depends on the current marks. */
function paintMarks() {
  paintOwn(history, place, start);
  mode.begin(place, history.at(place)?.mark);
  offline.update({ history, remarks, place, free });
}

/** Called when items were leased or fewer are free. */
function onExtended(counts) {
  history.setCount(counts.count);
  free = counts.free;
  if (isFinished && history.openPlaces(place, 1).length) return goOn();
  if (!isShown) return; // `begin` does this when the loading item is shown
  paintPlace(place, history.count + free);
  prefetchNext();
}

// The item on the screen

function show(next) {
  place = next;
  isShown = isFinished = false;
  const item = prefetch.take(place);
  if (item) paint(item);
  else if (place === Number(byId("stage").dataset.place)) begin();
  else prefetch.wait(next, () => place === next && !isShown).then((found) => found && paint(found));
}

/** Puts an item on the screen. */
function paint(item) {
  closeAll();
  const left = swap(item);
  prefetch.put(Number(left.stage.dataset.place), left);
  for (const part of Object.values(item)) keyboard.nameKeys(part);
  showCard();
  begin();
}

/** Starts judging the item on the screen, for the first time or again. */
function begin() {
  isShown = true;
  shownAt = new Date();
  watch.restart();
  zoom.show(byId("stage"));
  paintInputs();
  paintPlace(place, history.count + free);
  announcer.announcePlace(place, history.count + free, isBroken(byId("stage")));
  byId("back").href = addresses.page(Math.max(place - 1, 1));
  window.history.replaceState(null, "", addresses.page(place));
  terms.paint();
  paintMarks();
  prefetchNext();
  if (isLeased) lease.update(history.openPlaces(place).length, free);
}

/** Shows the comment, flag and replies of the item. */
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
  if (isBroken(stage)) hint(say("still_broken"), { isUrgent: true });
}

/** Called when the stage's picture was decoded, or failed, after it was put on the screen. */
function paintPicture(stage) {
  if (stage !== byId("stage")) return;
  layOutLong(stage);
  zoom.show(stage);
  keyboard.nameKeys(stage);
  paintInputs();
}

async function prefetchNext() {
  const here = place;
  const ahead = history.openAhead(here, AHEAD);
  const count = await prefetch.prepare(ahead, [here - 1, history.last()?.place]);
  if (place !== here) return;
  hint(ahead.length ? say("ready_next", { count }) : say("last_item"));
}

// Browsers offer crypto.randomUUID with https only; without it the plain form still works.
if (!window.isSecureContext) throw new Error("judging by keys needs https");
const layout = await navigator.keyboard?.getLayoutMap?.();
const does = {
  undo,
  cannotJudge,
  retry,
  zoom,
  goOn,
  judgeBlind: () => mode.judgeBlind(),
  goBack: () => show(Math.max(place - 1, 1)),
  reply: () => replies.focus(),
  markTerms: () => terms.toggle(),
};
const keyboard = new Keyboard({ keys, replies, steps: keySteps(does), judge, layout });
const outbox = new Outbox(start.assessor);
const sender = new Sender(outbox, onStatus);
const refusals = new Refusals(byId("refused"), leaveWhenSaved);
const lease = isLeased && new Lease({ address: `${start.base}lease`, watch, onExtended, isHeld: () => offline.isOn });
const drafts = new Drafts(start.assessor);
const remarks = new Remarks({
  said: start.said,
  comment: byId("comment"),
  flag: byId("flag"),
  drafts,
  make: (judged, fields) => addresses.event("remark", judged, fields),
  post,
  onDraft: () => paintSaved({ state: "draft" }),
});
await drafts.moveTo(outbox);
for (const event of await waiting()) (isRemark(event) ? remarks : history).applyQueued(event);
keyboard.listen();
listenForHelp(keys, () => keyboard.nameKeys(document));
listenToCard();
listenForClicks(clickSteps(does), judge);
addEventListener("beforeunload", (event) => isUnkept && event.preventDefault());
byId("keys").hidden = false;
paintInputs();
paintMarks();
listenToConnection();
offline.start(start.worker);
terms.paint();
if (Number(byId("stage").dataset.place) !== place) show(place); // the stored page shows another item
settleInTime(byId("stage"), paintPicture); // the first item's picture comes with the page
prefetchNext();
sender.run();
keyboard.nameKeys(document);
replies.nameDigits();

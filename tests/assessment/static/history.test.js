// An assessor's own judgments: what is stored, what waits, and what other pages have made.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { getElementById: () => ({ textContent: "{}" }) };
globalThis.addEventListener = () => {};
const { History } = await import("./history.js");

const given = (place, mark, second) => ({
  place,
  mark,
  client_uuid: `${place}-${mark}-${second}`,
  replies: {},
  given_at: `2026-09-01T12:00:${String(second).padStart(2, "0")}Z`,
});
const historyOf = (...judgments) => new History({ history: judgments, settled: [], count: 9 });
const marks = (history) => Object.fromEntries([...history.current()].map(([place, { mark }]) => [place, mark]));

test("undo takes the judgment that was given last, whenever it was stored", () => {
  const history = historyOf(given(1, 2, 30), given(2, 0, 10));
  assert.equal(history.undoLast().place, 1);
  assert.equal(history.undoLast().place, 2);
});

test("what is current is what was stored last, whenever it was given", () => {
  const history = historyOf(given(1, 2, 30), given(1, 0, 10));
  assert.deepEqual(marks(history), { 1: 0 });
  assert.equal(history.undoLast().mark, 0);
  assert.deepEqual(marks(history), { 1: 2 });
});

test("news comes before what waits here, and what is undone here stays undone", () => {
  const history = historyOf(given(1, 1, 1));
  history.undoLast();
  history.add(given(2, 0, 9));
  history.applyNews([given(1, 1, 1), given(2, 2, 5), given(3, 2, 6)]);
  assert.deepEqual(marks(history), { 2: 0, 3: 2 });
  history.forget("2-0-9"); // the server refuses it
  assert.deepEqual(marks(history), { 2: 2, 3: 2 });
  history.applyNews([{ place: 3, undoes: "3-2-6" }]);
  assert.deepEqual(marks(history), { 2: 2 });
});

test("the server's current judgment is adopted, and one that waits stays after it", () => {
  const history = historyOf(given(1, 1, 1), given(1, 2, 2));
  history.adopt(1, given(1, 1, 1));
  assert.deepEqual(marks(history), { 1: 1 });
  history.add(given(1, 0, 8));
  history.adopt(1, given(1, 2, 3));
  assert.deepEqual(marks(history), { 1: 0 });
  history.applyStored({ place: 1, fields: { client_uuid: "1-0-8" } });
  history.adopt(1, null);
  assert.deepEqual(marks(history), {});
  history.adopt(2, { client_uuid: "2", mark: null, replies: {} }); // of a blind adjudication: no grade, no place
  assert.deepEqual(marks(history), { 2: null });
});

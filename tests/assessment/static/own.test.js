// What the page says of the assessor's own judgments.

import assert from "node:assert/strict";
import { test } from "node:test";

const progress = {};
globalThis.addEventListener = () => {};
globalThis.document = {
  getElementById: (id) => (id === "progress" ? progress : id === "undo-last" ? null : { textContent: "{}" }),
  querySelectorAll: () => [],
  querySelector: () => null,
};
const { History } = await import("./history.js");
const { paintOwn } = await import("./own.js");

const judgment = { place: 2, mark: 1, client_uuid: "a", replies: {}, given_at: "2026-09-01T12:00:00Z" };

test("progress counts own items: none that another owner has graded, and none to be leased as judged", () => {
  const history = new History({ history: [judgment], settled: [1, 3], count: 7 });
  paintOwn(history, 4, { scale: [0, 1], free: 10 });
  assert.deepEqual(progress, { max: 15, value: 1 });
});

test("progress of an empty topic is empty", () => {
  paintOwn(new History({ history: [], settled: [1], count: 1 }), 1, { scale: [0, 1] });
  assert.deepEqual(progress, { max: 1, value: 0 });
});

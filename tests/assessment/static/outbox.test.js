// Events on their way from local storage into the database are seen by each page of the browser.

import assert from "node:assert/strict";
import { test } from "node:test";

// Two pages of a browser: while this one reads the database, the other moves its event into it from local storage.
const event = { url: "/judging/1/items/1/judgment", place: 1, fields: { client_uuid: "a" } };
const rows = [];
const unstored = { "trackside-outbox-7-1.000-a": JSON.stringify(event) };
globalThis.localStorage = new Proxy(unstored, {
  get: (target, name) => (name === "getItem" ? (key) => target[key] ?? null : target[name]),
});
globalThis.document = { getElementById: () => ({ textContent: "{}" }) };
const done = (result) => {
  const request = { result };
  queueMicrotask(() => request.onsuccess());
  return request;
};
const move = () => {
  rows.push(event);
  delete unstored["trackside-outbox-7-1.000-a"];
};
const getAll = () => {
  const request = done([...rows]);
  move();
  return request;
};
globalThis.indexedDB = { open: () => done({ transaction: () => ({ objectStore: () => ({ getAll }) }) }) };
const { Outbox } = await import("./outbox.js");

test("an event that another page is storing now is seen", async () => {
  const { waiting } = await new Outbox(7).look();
  assert.deepEqual(waiting, [event]);
});

// The states of the judging screen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Machine, NEXT } from "./machine.js";

const STATES = ["loading", "shown", "waiting", "finished", "leaving", "withdrawn", "ended"];
const EVENTS = ["load", "arrive", "miss", "finish", "reopen", "leave", "stay", "withdraw", "end", "resume"];

/** A machine at place 3 after the events, each a name or [name, place]. */
function after(...events) {
  const machine = new Machine(3);
  for (const event of events) machine.send(...[event].flat());
  return machine;
}

test("every state and event is in the table", () => {
  assert.deepEqual(Object.keys(NEXT).sort(), [...STATES].sort());
  const rows = Object.values(NEXT);
  for (const row of rows) for (const state of Object.values(row)) assert.ok(STATES.includes(state));
  assert.deepEqual([...new Set(rows.flatMap(Object.keys))].sort(), [...EVENTS].sort());
});

const WAYS = [
  ["an item arrives", ["arrive"], "shown", true],
  ["an item cannot be fetched", ["miss"], "waiting", false],
  ["an item arrives after some failures", ["miss", "miss", "arrive"], "shown", true],
  ["the next item is asked for", ["arrive", ["load", 4]], "loading", false],
  ["an item is shown again", ["arrive", ["load", 3], "arrive"], "shown", true],
  ["no item is left", ["arrive", "finish"], "finished", false],
  ["a key more than items", ["arrive", "finish", "finish"], "finished", false],
  ["no item is left while another one is loading", ["arrive", ["load", 4], "finish"], "finished", false],
  ["a judgment is refused at the end", ["arrive", "finish", "reopen"], "shown", true],
  ["one is refused while another item was loading", [["load", 4], "finish", "reopen"], "loading", false],
  ["the last judgment is undone", ["arrive", "finish", ["load", 2]], "loading", false],
  ["the page leaves", ["arrive", "finish", "leave"], "leaving", false],
  ["an item is opened from a wall, which comes back", ["arrive", "leave", ["load", 3], "arrive"], "shown", true],
  ["the assessor goes on although another page was asked for", ["arrive", "leave", "stay"], "shown", true],
  ["the topic is withdrawn while an item is shown", ["arrive", "withdraw"], "withdrawn", false],
  ["the phase ends while an item is awaited", ["miss", "end"], "ended", false],
  ["the phase ends at the end", ["arrive", "finish", "end"], "ended", false],
  ["the phase is opened again", ["arrive", "end", "resume"], "loading", false],
  ["the topic is withdrawn after the phase", ["end", "withdraw"], "withdrawn", false],
];

for (const [name, events, state, mayJudge] of WAYS) {
  test(name, () => {
    const machine = after(...events);
    assert.equal(machine.state, state);
    assert.equal(machine.mayJudge, mayJudge);
  });
}

test("an item that arrives after another was asked for is not shown", () => {
  const machine = after(["load", 4]);
  assert.equal(machine.send("arrive", 3), false);
  assert.equal(machine.state, "loading");
  assert.equal(machine.awaits(3), false);
  assert.equal(machine.awaits(4), true);
  assert.equal(machine.send("miss", 3), false);
  assert.equal(machine.send("arrive", 4), true);
  assert.equal(machine.place, 4);
});

test("an event without a next state changes nothing and calls nobody", () => {
  const states = [];
  const machine = new Machine(3, (state) => states.push(state));
  assert.equal(machine.send("leave"), false);
  assert.equal(machine.send("reopen"), false);
  assert.deepEqual(states, []);
  assert.equal(machine.send("arrive"), true);
  assert.deepEqual(states, ["shown"]);
});

test("of two callers only one may leave", () => {
  const machine = after("arrive", "finish");
  assert.deepEqual([machine.send("leave"), machine.send("leave")], [true, false]);
});

test("whatever happens, only a shown item may be judged, and nothing follows a withdrawn topic", () => {
  let seed = 7;
  const draw = (count) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % count;
  };
  for (let walk = 0; walk < 500; walk += 1) {
    const machine = new Machine(1);
    let onScreen; // the place of the item that arrived last
    for (let step = 0; step < 40; step += 1) {
      const [event, place] = [EVENTS[draw(EVENTS.length)], 1 + draw(3)];
      const wasWithdrawn = machine.state === "withdrawn";
      const isAccepted = machine.send(event, place);
      if (isAccepted && event === "arrive") onScreen = place;
      if (isAccepted && ["load", "withdraw", "end"].includes(event)) onScreen = undefined;
      assert.ok(!(wasWithdrawn && isAccepted));
      if (machine.mayJudge) assert.equal(onScreen, machine.place);
      if (machine.isOver) assert.ok(!machine.mayJudge && !machine.awaits(machine.place));
    }
  }
});

test("a judgment is undone only while an item is shown, or once none is left", () => {
  const states = [["arrive"], ["arrive", "finish"], [["load", 4]], ["miss"], ["arrive", "leave"], ["arrive", "end"]];
  assert.deepEqual(
    states.map((events) => after(...events).mayUndo),
    [true, true, false, false, false, false],
  );
});

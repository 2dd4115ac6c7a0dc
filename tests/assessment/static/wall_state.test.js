// The state of a wall: cursor, marked range, what comes next, and which judgments one act made.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { getElementById: () => ({ textContent: "{}" }) };
globalThis.addEventListener = () => {};
const { History } = await import("./history.js");
const { WallState } = await import("./wall_state.js");

const WALLS = [[1, 2, 3, 4, 5, 6], [7, 8, 9], [], [10]];

/** A history of these marks by place, and the state of a wall that shows `number`. */
function wallOf({ history = [], settled = [], number = 1, walls = WALLS } = {}) {
  const own = new History({ history, settled, count: 10 });
  const wall = new WallState(own, walls);
  wall.show(number, walls[number - 1]);
  return { own, wall };
}

const judgment = (place, mark = 0, more = {}) => ({
  place,
  mark,
  client_uuid: `u${place}-${mark}`,
  replies: {},
  ...more,
});

test("nothing is preset, and the cursor begins at the first cell without a mark", () => {
  const { wall } = wallOf();
  assert.deepEqual([wall.place, wall.unset()], [1, [1, 2, 3, 4, 5, 6]]);
  assert.equal(wallOf({ history: [judgment(1), judgment(2)] }).wall.place, 3);
});

test("the cursor moves by cells and by rows, and stays on the wall", () => {
  const { wall } = wallOf();
  const way = [1, 1, 3, 1, 3, -3, -3, -9, -2].map((step) => {
    wall.move(step);
    return wall.place;
  });
  assert.deepEqual(way, [2, 3, 6, 6, 6, 3, 3, 3, 1]);
});

test("a grade goes to the next cell without a mark, then to one before it; a complete wall has no cursor", () => {
  const { own, wall } = wallOf({ history: [judgment(3), judgment(5)] });
  wall.goTo(2);
  const way = [2, 4, 6, 1].map((place) => {
    assert.equal(wall.place, place);
    own.add(judgment(place));
    wall.advance();
    return wall.place;
  });
  assert.deepEqual(way, [4, 6, 1, undefined]);
  assert.equal(wall.focusable, 1);
  wall.move(1);
  assert.equal(wall.place, 1);
});

test("a range is marked in reading order from either end, and any other step ends it", () => {
  const { wall } = wallOf();
  wall.goTo(4);
  wall.move(-1, true);
  wall.move(-1, true);
  assert.deepEqual(wall.marked(), [2, 3, 4]);
  wall.move(3, true);
  assert.deepEqual(wall.marked(), [4, 5]);
  wall.move(1);
  assert.deepEqual([wall.marked(), wall.place], [[], 6]);
});

test("after a range the cursor goes on behind its end, wherever the cursor is", () => {
  const { own, wall } = wallOf();
  wall.goTo(4);
  wall.move(-2, true);
  for (const place of wall.marked()) own.add(judgment(place));
  wall.advance();
  assert.deepEqual([wall.place, wall.marked()], [5, []]);
});

test("one act is undone at once, acts after each other one by one, latest first", () => {
  const { own, wall } = wallOf();
  const act = (...places) => {
    for (const place of places) own.add(judgment(place));
    wall.note(places.map((place) => `u${place}-0`));
  };
  act(1);
  act(2, 3, 4);
  act(5);
  const undone = () => {
    const places = wall.lastAct().map(({ place }) => place);
    for (const _ of places) own.undoLast();
    return places;
  };
  assert.deepEqual([undone(), undone(), undone(), undone()], [[5], [4, 3, 2], [1], []]);
});

test("after a reload the rest of one wall is one act, and other judgments are acts of their own", () => {
  const rest = { is_by_rest: true };
  const history = [judgment(1), judgment(5, 0, rest), judgment(6, 0, rest), judgment(7, 0, rest), judgment(8, 0, rest)];
  const { own, wall } = wallOf({ history });
  assert.deepEqual(
    wall.lastAct().map(({ place }) => place),
    [8, 7],
  );
  own.undoLast();
  own.undoLast();
  assert.deepEqual(
    wall.lastAct().map(({ place }) => place),
    [6, 5],
  );
  own.undoLast();
  own.undoLast();
  assert.deepEqual(
    wall.lastAct().map(({ place }) => place),
    [1],
  );
});

test("the next wall is the next with an open item, wrapping around; empty and finished ones are skipped", () => {
  const { own, wall } = wallOf({ number: 2, history: [7, 8, 9].map((place) => judgment(place)) });
  assert.deepEqual([wall.nextWall(), wall.openWalls(2), wall.openWalls(0, 1)], [4, [4, 1], [1]]);
  own.add(judgment(10));
  assert.equal(wall.nextWall(), 1);
  for (const place of WALLS[0]) own.add(judgment(place));
  assert.equal(wall.nextWall(), undefined);
});

test("a cell that went to somebody else needs no grade", () => {
  const { wall } = wallOf({ settled: [1, 4] });
  assert.deepEqual(wall.unset(), [2, 3, 5, 6]);
});

test("whatever happens, an act that is undone leaves the marks as they were", () => {
  let seed = 11;
  const draw = (count) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % count;
  };
  const marksOf = (own) => JSON.stringify([...own.current()].map(([place, { mark }]) => [place, mark]).sort());
  for (let walk = 0; walk < 200; walk += 1) {
    const { own, wall } = wallOf();
    const before = [];
    for (let step = 0; step < 30; step += 1) {
      const what = draw(4);
      if (what === 0) wall.move(draw(7) - 3, draw(2) === 1);
      else if (what === 3 && before.length) {
        for (const _ of wall.lastAct()) own.undoLast();
        assert.equal(marksOf(own), before.pop());
      } else {
        const places = what === 1 && wall.marked().length ? wall.marked() : [wall.place ?? wall.focusable];
        const was = marksOf(own);
        const made = places.map((place) => judgment(place, draw(3), { client_uuid: `w${walk}s${step}p${place}` }));
        const added = made.filter((each) => own.add(each));
        if (added.length) before.push(was);
        wall.note(added.map(({ client_uuid: id }) => id));
        wall.advance();
      }
      assert.ok(wall.place === undefined || WALLS[0].includes(wall.place));
    }
  }
});

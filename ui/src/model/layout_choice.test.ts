import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_FIT_SCALE, type LayoutInput } from "./layered_layout";
import { chooseLayout, fitScale, LEGIBLE_SCALE, shownWhole, type Box } from "./layout_choice";

// A caller and its callees.
function star(callees: number, direction: "down" | "right"): LayoutInput {
  const ids = Array.from({ length: callees }, (_, i) => i + 1);
  return {
    direction,
    nodes: [0, ...ids].map((id) => ({ id, width: 150, height: 50, rank: id === 0 ? 0 : 1 })),
    edges: ids.map((to) => ({ from: 0, to, width: 40, height: 14 })),
  };
}

test("the first drawing that can be read as a whole is taken", () => {
  const inputs = [star(40, "right"), star(12, "right"), star(12, "down"), star(5, "right")];
  const pick = (width: number, height: number) => chooseLayout({ inputs, room: { width, height } }).index;
  assert.equal(pick(3000, 3000), 0);
  assert.equal(pick(600, 1100), 1);
  assert.equal(pick(2200, 300), 2);
  assert.equal(pick(560, 460), 3);
});

test("a drawing that has been cut down may be smaller than others", () => {
  const room = { width: 560, height: 460 };
  const inputs = [{ ...star(8, "right"), leastScale: 0.7 }, star(3, "right")];
  const { index, output } = chooseLayout({ inputs, room });
  assert.equal(index, 0);
  assert.ok(fitScale(output, room) < LEGIBLE_SCALE);
  assert.equal(chooseLayout({ inputs: inputs.map((each) => ({ ...each, leastScale: undefined })), room }).index, 1);
});

test("what can be read is as large as the room lets it be, up to a limit", () => {
  const room = { width: 900, height: 600 };
  const { output } = chooseLayout({ inputs: [star(5, "right")], room });
  const scale = fitScale(output, room);
  assert.ok(scale >= LEGIBLE_SCALE && scale <= MAX_FIT_SCALE);
  assert.ok(output.height * scale > 0.8 * room.height, `${output.height * scale} of ${room.height}`);
});

test("where none can be read, there is a drawing all the same", () => {
  const tiny = { width: 200, height: 200 };
  assert.equal(chooseLayout({ inputs: [star(60, "right"), star(40, "right"), star(40, "down")], room: tiny }).index, 1);
  assert.ok(chooseLayout({ inputs: [star(0, "right")], room: tiny }).output.nodes.length === 1);
});

test("a drawing shown whole has no node under the buttons in its corner", () => {
  const corner = { width: 120, height: 45 };
  const at = (drawing: { width: number; height: number }, nodes: Box[], room: { width: number; height: number }) => {
    const shown = shownWhole(drawing, nodes, room, corner);
    const covered = nodes.some((node) => shown.x + (node.x + node.width) * shown.scale > room.width - corner.width + 0.01 &&
      shown.y + (node.y + node.height) * shown.scale > room.height - corner.height + 0.01);
    assert.equal(covered, false);
    return shown;
  };
  const last = (width: number, height: number) => [{ x: width - 150, y: height - 50, width: 150, height: 50 }];
  const whole = { width: 400, height: 400 };
  assert.deepEqual(at(whole, [{ x: 0, y: 0, width: 150, height: 50 }], { width: 440, height: 440 }), { scale: 1, x: 20, y: 20 });
  assert.equal(at(whole, last(400, 400), { width: 640, height: 440 }).scale, 1, "it moves to the left");
  assert.equal(at(whole, last(400, 400), { width: 440, height: 640 }).scale, 1, "it moves upwards");
  assert.ok(at(whole, [{ x: 0, y: 0, width: 400, height: 400 }], { width: 440, height: 440 }).scale < 1);
});

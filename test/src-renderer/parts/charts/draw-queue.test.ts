import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { drawNoMore, drawSoon } from '../../../../src-renderer/parts/charts/draw-queue.ts';

const frames: FrameRequestCallback[] = [];
let now = 0;

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (call: FrameRequestCallback) => frames.push(call));
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  while (frames.length > 0) nextFrame();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function nextFrame(): void {
  for (const call of frames.splice(0)) call(now);
}

const ended = () => Promise.resolve();

/** A chart that takes so many milliseconds, and writes down what it was drawn with. */
function chartOf(milliseconds: number) {
  const drawn: string[] = [];
  const own = {};
  const show = (what: string): void =>
    drawSoon(own, () => {
      drawn.push(what);
      now += milliseconds;
    });
  return { own, drawn, show };
}

it('draws as soon as whoever asked has ended, with what was asked last', async () => {
  const { drawn, show } = chartOf(1);
  show('a');
  show('b');
  expect(drawn).toEqual([]);
  await ended();
  expect(drawn).toEqual(['b']);
});

it('draws once in a frame, however often it is asked', async () => {
  const { drawn, show } = chartOf(1);
  for (const what of ['a', 'b', 'c', 'd']) {
    show(what);
    await ended();
  }
  expect(drawn).toEqual(['a']);
  nextFrame();
  expect(drawn).toEqual(['a', 'd']);
});

it('leaves to the next frames what does not fit the budget, and forgets what is gone', async () => {
  const [first, second, third, gone] = [chartOf(5), chartOf(5), chartOf(5), chartOf(5)];
  for (const { show } of [first, second, third, gone]) show('x');
  const seen = () => [first, second, third, gone].map(({ drawn }) => drawn.length);
  await ended();
  expect(seen()).toEqual([1, 1, 0, 0]);
  drawNoMore(gone.own);
  nextFrame();
  nextFrame();
  expect(seen()).toEqual([1, 1, 1, 0]);
});

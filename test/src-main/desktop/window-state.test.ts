import { expect, it } from 'vitest';
import { boundsFor, readWindowState } from '../../../src-main/desktop/window-state.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1040 };
const second = { x: 1920, y: -200, width: 2560, height: 1400 };
const at = (x: number, y: number, width = 1000, height = 700) => ({
  ...{ bounds: { x, y, width, height }, maximized: false, fullScreen: false },
});

it('opens a window where it was, also on a second screen', () => {
  expect(boundsFor(at(40, 60), [screen])).toEqual({ x: 40, y: 60, width: 1000, height: 700 });
  expect(boundsFor(at(2500, -100), [screen, second])).toEqual({ x: 2500, y: -100, width: 1000, height: 700 });
});

it('leaves the place to the system where no screen would show its bar', () => {
  for (const [x, y] of [
    [2500, 100],
    [-990, 60],
    [40, -300],
    [40, 1030],
  ] as const)
    expect(boundsFor(at(x, y), [screen]), `${x} ${y}`).toEqual({ width: 1000, height: 700 });
  expect(boundsFor(at(3000, 0, 2400, 1300), [screen])).toEqual({ width: 1920, height: 1040 });
});

it('is never too small to use, and has a size of its own at first', () => {
  expect(boundsFor(at(0, 0, 10, 10), [screen])).toMatchObject({ width: 760, height: 520 });
  expect(boundsFor(null, [screen])).toEqual({ width: 1440, height: 900 });
});

it('reads what it has written, and nothing else', () => {
  expect(readWindowState(JSON.stringify(at(1, 2)))).toEqual(at(1, 2));
  for (const text of ['', '{"half', '{}', '[]', JSON.stringify({ ...at(0, 0), bounds: { x: 'a' } })])
    expect(readWindowState(text)).toBeNull();
});

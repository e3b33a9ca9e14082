import { expect, it } from 'vitest';
import { bar, progressLine } from '../../../src-main/cli/output/progress.ts';

function shown(isTTY: boolean, env: NodeJS.ProcessEnv, columns = 80): string {
  let text = '';
  const write = (chunk: unknown) => ((text += String(chunk)), true);
  const line = progressLine({ isTTY, columns, write }, env);
  line.show('profiles: 50 %', 0.5);
  line.end();
  return text;
}

it('draws a bar on a terminal, in colour unless that is not wanted', () => {
  const drawn = `${bar(0.5)} `;
  expect(shown(true, {})).toBe(`\r\x1b[K\x1b[36m${drawn}\x1b[39mprofiles: 50 %\r\x1b[K`);
  expect(shown(true, { NO_COLOR: '1' })).toBe(`\r\x1b[K${drawn}profiles: 50 %\r\x1b[K`);
  expect(shown(true, { NO_COLOR: '' })).toContain('\x1b[36m');
  expect(shown(true, { NO_COLOR: '1' }, 26)).toBe(`\r\x1b[K${drawn}prof\r\x1b[K`);
});

it('writes nothing where nobody sees it, or the line cannot be taken back', () => {
  expect(shown(false, {})).toBe('');
  expect(shown(true, { TERM: 'dumb' })).toBe('');
});

it('has a bar that is never longer than its frame', () => {
  expect([-1, 0, 0.5, 1, 2].map(bar).map((text) => [text.length, text.split('█').length - 1])).toEqual([
    [20, 0],
    [20, 0],
    [20, 10],
    [20, 20],
    [20, 20],
  ]);
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { breachesAmong, findBreaches, importsOf } from '../../build/floors.ts';

const root = join(import.meta.dirname, '../..');

function breaks(from: string, to: string, typeOnly = false): boolean {
  return breachesAmong([{ from, to, typeOnly }]).length === 1;
}

describe('floors', () => {
  it('hold in the project', () => {
    expect(findBreaches(root).map(({ from, to, why }) => `${from} imports ${to}: ${why}`)).toEqual([]);
  });

  it('let the engine import down and not up', () => {
    expect(breaks('engine/2-ad/vjp.ts', 'engine/0-ir/types.ts')).toBe(false);
    expect(breaks('engine/2-ad/vjp.ts', 'engine/2-ad/vjp/map.ts')).toBe(false);
    expect(breaks('engine/0-ir/types.ts', 'engine/2-ad/vjp.ts')).toBe(true);
    expect(breaks('engine/index.ts', 'engine/6-fit/problem.ts')).toBe(false);
    expect(breaks('engine/6-fit/problem.ts', 'engine/index.ts')).toBe(true);
    expect(breaks('engine/0-ir/types.ts', 'models/format/document.ts')).toBe(true);
  });

  it('open one door to the engine', () => {
    expect(breaks('models/blocks/map.ts', 'engine/index.ts')).toBe(false);
    expect(breaks('models/blocks/map.ts', 'engine/0-ir/types.ts', true)).toBe(true);
    expect(breaks('src-main/cli/main.ts', 'engine/5-runtime/device.ts')).toBe(true);
  });

  it('let the window see contract, formulas and types of the format', () => {
    expect(breaks('src-renderer/state/window/client.ts', 'src-main/contract/contract.ts')).toBe(false);
    expect(breaks('src-renderer/state/window/client.ts', 'src-main/files/store.ts')).toBe(true);
    expect(breaks('src-renderer/state/a.ts', 'models/formula/parse.ts')).toBe(false);
    expect(breaks('src-renderer/state/a.ts', 'models/format/document.ts', true)).toBe(false);
    expect(breaks('src-renderer/state/a.ts', 'models/format/document.ts')).toBe(true);
    expect(breaks('src-main/router.ts', 'src-renderer/state/window/client.ts')).toBe(true);
  });

  it('find imports of every form', () => {
    const source = [
      "import { a } from '../0-ir/a.ts';",
      'import type {\n  B,\n  C,\n} from',
      "  './b.ts';",
      "export type { D } from './d.ts';",
      "import './side-effect.ts';",
      "const late = await import('./late.ts');",
      "import { readFile } from 'node:fs';",
    ].join('\n');
    expect(importsOf('engine/2-ad/x.ts', source)).toEqual([
      { from: 'engine/2-ad/x.ts', to: 'engine/0-ir/a.ts', typeOnly: false },
      { from: 'engine/2-ad/x.ts', to: 'engine/2-ad/b.ts', typeOnly: true },
      { from: 'engine/2-ad/x.ts', to: 'engine/2-ad/d.ts', typeOnly: true },
      { from: 'engine/2-ad/x.ts', to: 'engine/2-ad/side-effect.ts', typeOnly: false },
      { from: 'engine/2-ad/x.ts', to: 'engine/2-ad/late.ts', typeOnly: false },
    ]);
  });
});

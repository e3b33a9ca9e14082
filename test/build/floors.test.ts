import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allImports,
  breachesAmong,
  crowdedFolders,
  findBreaches,
  findCircles,
  importsOf,
  sourcesIn,
} from '../../build/floors.ts';

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

  it('keep models and the window on floors of their own', () => {
    expect(breaks('models/blocks/map.ts', 'models/formula/parse.ts')).toBe(false);
    expect(breaks('models/formula/parse.ts', 'models/blocks/map.ts', true)).toBe(true);
    expect(breaks('models/formula/parse.ts', 'models/objective/priors.ts')).toBe(true);
    expect(breaks('src-renderer/state/canvas/layout.ts', 'src-renderer/state/document/draft.ts')).toBe(false);
    expect(breaks('src-renderer/state/words/help.ts', 'src-renderer/state/document/draft.ts')).toBe(true);
    expect(breaks('src-renderer/state/app.svelte.ts', 'src-renderer/state/document/draft.ts')).toBe(false);
    expect(breaks('src-renderer/state/app.svelte.ts', 'src-renderer/parts/window/Icon.svelte')).toBe(true);
    expect(breaks('src-main/compute/fit/fit.ts', 'src-main/export/csv.ts')).toBe(true);
  });

  it('keep the backends apart', () => {
    expect(breaks('engine/4-backends/cpu/scan.ts', 'engine/4-backends/webgpu/scan.ts')).toBe(true);
    expect(breaks('engine/4-backends/webgpu/scan.ts', 'engine/4-backends/cpu/scan.ts')).toBe(true);
    expect(breaks('engine/4-backends/cpu/scan.ts', 'engine/2-ad/vjp/scan/scan-add.ts')).toBe(true);
  });

  it('leave no folder crowded', () => {
    expect(crowdedFolders(sourcesIn(root))).toEqual([]);
    const files = Array.from({ length: 31 }, (_, at) => `engine/6-fit/${at}.ts`);
    expect(crowdedFolders([...files, 'engine/6-fit/algebra/qr.ts'])).toEqual(['engine/6-fit holds 31']);
  });

  it('find no circle of files or folders in the project', () => {
    expect(findCircles(allImports(root))).toEqual([]);
  });

  it('find circles of files, and of folders whose files are in none', () => {
    const circles = (...pairs: [string, string][]) =>
      findCircles(pairs.map(([from, to]) => ({ from, to, typeOnly: true })));
    expect(circles(['a/x.ts', 'a/y.ts'], ['a/y.ts', 'a/z.ts'], ['a/z.ts', 'a/x.ts'])).toEqual([
      ['a/x.ts', 'a/y.ts', 'a/z.ts'],
    ]);
    expect(circles(['a/b/1.ts', 'a/c/1.ts'], ['a/c/2.ts', 'a/b/2.ts'])).toEqual([['a/b', 'a/c']]);
    expect(circles(['a/b/1.ts', 'a/c.ts'], ['a/c/1.ts', 'a/b/2.ts'], ['a/d.ts', 'a/b/1.ts'])).toEqual([]);
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

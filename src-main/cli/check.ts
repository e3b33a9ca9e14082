/** `check`: reads a model, infers types and shapes, tests operator laws. */
import { printProblem } from '../../models/notation/problem.ts';
import type { BlockReport } from '../../models/load/report.ts';
import { demandModel } from '../compute/running/load.ts';
import { loadFile } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printColumns, printJson, printWarnings } from './output/output.ts';

/** Type and shape of a block; null where its outputs differ, which then are listed. */
function blockJson({ id, kind, outputs }: BlockReport): object {
  const all = outputs.map(({ name, element, sizes }) => ({ name, type: element, shape: sizes }));
  const [first] = all;
  const same = (key: 'type' | 'shape'): boolean =>
    all.every((output) => JSON.stringify(output[key]) === JSON.stringify(first?.[key]));
  return {
    id,
    kind,
    type: same('type') ? (first?.type ?? null) : null,
    shape: same('shape') ? (first?.shape ?? null) : null,
    ...(all.length > 1 && { outputs: all }),
  };
}

export async function check(path: string, options: ModelOptions): Promise<void> {
  const loaded = await loadFile(path, options);
  demandModel(loaded);
  const warnings = loaded.problems.filter(({ severity }) => severity === 'warning').map(printProblem);
  if (options.json) {
    printJson({ blocks: loaded.blocks.map(blockJson), warnings });
    return;
  }
  const rows = loaded.blocks.flatMap(({ id, kind, outputs }) =>
    outputs.map(({ name, element, shape, sizes }) => {
      const axes = sizes.map((size, axis) => (shape[axis] === size ? String(size) : `${shape[axis]}=${size}`));
      return [name === '' ? id : `${id}.${name}`, kind, element, `[${axes.join(', ')}]`];
    }),
  );
  printColumns([['id', 'kind', 'type', 'shape'], ...rows]);
  printWarnings(warnings);
}

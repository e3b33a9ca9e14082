/** Whatever a document says, it is loaded or refused in words: no mutation of one ends in an exception. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLeniently } from '../../../models/format/parse.ts';
import { loadModel, outputReferences } from '../../../models/load/model.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { c, plainDocument } from '../../support/documents.ts';

const linear = { left: ['b1', 'c1'], right: ['b2', 'c2'], result: ['b2 + c2*b1', 'c2*c1'], neutral: [0, 1] };

/** One block of every kind. */
const everything = plainDocument(
  [
    { id: 't', kind: 'column', table: 'obs', column: 't' },
    { id: 's', kind: 'column', table: 'obs', column: 's', type: 'category' },
    { id: 'p', kind: 'parameter', initial: 1, lower: 0, scale: 'log', prior: { family: 'normal', mean: 0, sd: 1 } },
    { id: 'q', kind: 'parameter', initial: 1, like: 's' },
    c('m', [
      [1, 2, 3],
      [4, 5, 6],
    ]),
    { id: 'r', kind: 'range', like: 't', start: 1 },
    { id: 'f', kind: 'map', formula: 'p * t + index / length(t)' },
    { id: 'two', kind: 'map', outputs: { a: 'f + 1', b: 'f > 2' } },
    { id: 'sum', kind: 'reduce', operator: 'add', values: 'm', axis: 1 },
    { id: 'run', kind: 'scan', operator: linear, values: ['f', 't'], outputs: ['x', 'y'], reverse: true },
    { id: 'h', kind: 'histogram', operator: 'add', keys: 's', values: 'f', bins: 's', initial: 'q' },
    { id: 'x', kind: 'recurrence', inputs: { u: 't' }, state: { z: { initial: 'p', next: 'z*0.5 + u' } } },
    { id: 'g', kind: 'gather', from: 'q', indices: 's' },
    { id: 'w', kind: 'scatter', into: 't', indices: 'i', values: 'i' },
    c('i', [0, 2]),
    { id: 'back', kind: 'reverse', values: 't' },
    { id: 'cut', kind: 'slice', values: 't', start: 1, stop: 3, step: 2 },
    { id: 'lag', kind: 'shift', values: 't', by: 1, fill: 'NaN' },
    { id: 'turn', kind: 'transpose', values: 'm', axes: [1, 0] },
    { id: 'flat', kind: 'reshape', values: 'm', shape: [-1, 't'] },
    { id: 'both', kind: 'concatenate', values: ['t', 'f'] },
    { id: 'prod', kind: 'matmul', left: 'm', right: 'turn' },
    { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 't', sigma: 1, loss: { kind: 'huber' } },
    { id: 'nll', kind: 'likelihood', family: 'poisson', observed: 't', mean: 'f' },
    {
      id: 'pack',
      kind: 'group',
      inputs: { v: 't' },
      blocks: [{ id: 'k', kind: 'map', formula: 'v^2' }],
      outputs: { o: 'k' },
    },
  ],
  { tables: { obs: { columns: { t: [0, 1, 2], s: ['a', 'b', 'a'] } } }, objective: ['loss', 'nll'] },
);

/** Every place in the document, as a path of keys. */
function paths(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.map((_, i) => i) : Object.keys(value);
  return [path, ...keys.flatMap((key) => paths((value as Record<string | number, unknown>)[key], [...path, key]))];
}

const places = paths(everything).filter((path) => path.length > 0);

const junk = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    -1,
    0,
    1,
    1.5,
    1e15,
    'NaN',
    'Infinity',
    '',
    'p',
    't',
    'm',
    's',
    'f',
    'run',
    'run.x',
    'two.b',
    'nobody',
    'g.h',
    '__proto__',
  ],
  ...['a + ', 'p * m', 'exp(', 'index', [], [1], [[1], [2, 3]], ['t', 'p'], ['t'], {}, { a: 1 }, { constructor: 't' }],
);

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

async function loadAndLower(document: unknown): Promise<void> {
  const read = readLeniently(JSON.parse(JSON.stringify(document)));
  if (!read.document) {
    expect(read.problems.length).toBeGreaterThan(0);
    return;
  }
  const result = await loadModel(read.document, () => Promise.reject(new Error('no files')), { broken: read.broken });
  for (const problem of [...read.problems, ...result.problems]) expect(problem.message).toMatch(/\S/);
  const { model } = result;
  if (!model) {
    expect(read.problems.length + result.problems.length).toBeGreaterThan(0);
    return;
  }
  const outputs = [...model.graph.top.blocks.keys()].flatMap((id) => outputReferences(model, id));
  const lowered = lowerModel(model, { outputs, ...(model.objective.length > 0 && { objective: 'residuals' }) });
  expect(lowered.program.results.length).toBeGreaterThanOrEqual(outputs.length);
}

it('loads and lowers the whole', async () => {
  await loadAndLower(everything);
});

it('loads or refuses every mutation', async () => {
  const change = fc.tuple(fc.constantFrom(...places), junk);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
      await loadAndLower(
        changes.reduce<unknown>((document, [path, by]) => {
          try {
            return replaced(document, path, by);
          } catch {
            // The first change took away the place of the second.
            return document;
          }
        }, everything),
      );
    }),
    { numRuns: 300 },
  );
});

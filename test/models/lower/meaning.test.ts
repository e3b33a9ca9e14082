/** A fit belongs to what a model means: how it is written down, drawn and called is no part of it. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../models/catalogue/index.ts';
import { modelMeaning, quantityMeaning, type Meaning } from '../../../models/lower/meaning.ts';
import { parseDocument } from '../../../models/format/parse.ts';
import { loadModel } from '../../../models/load/model.ts';
import { nodeFiles } from '../../../models/tables/node-files.ts';
import { readDocument } from '../../../src-main/files/documents.ts';
import { readDraft, type Draft } from '../../../src-renderer/state/document/draft.ts';
import { pack, packable, unpack, whyNotPacked } from '../../../src-renderer/state/document/grouping.ts';
import { model, type PlainBlock } from '../../support/documents.ts';

const tables = { obs: { columns: { x: [1, 2, 3, 4], y: [2, 3, 7, 8] } } };
const x: PlainBlock = { id: 'x', kind: 'column', table: 'obs', column: 'x' };
const y: PlainBlock = { id: 'y', kind: 'column', table: 'obs', column: 'y' };
const a: PlainBlock = { id: 'a', kind: 'parameter', initial: 2, lower: 0 };
const offset: PlainBlock = { id: 'b', kind: 'parameter', initial: 1, scale: 'log' };
const scaled: PlainBlock = { id: 'f', kind: 'map', formula: 'a * x' };
const line: PlainBlock = { id: 'g', kind: 'map', formula: 'f + b' };
const loss: PlainBlock = { id: 'loss', kind: 'least-squares', prediction: 'g', observed: 'y' };
const plain = [x, y, a, offset, scaled, line, loss];

const meaning = async (blocks: readonly PlainBlock[], more: Record<string, unknown> = {}): Promise<Meaning> =>
  modelMeaning(await model(blocks, { tables, objective: 'loss', ...more }));
const swap = (block: PlainBlock): PlainBlock[] => plain.map((old) => (old['id'] === block['id'] ? block : old));

describe('stays', () => {
  it.each<[what: string, blocks: readonly PlainBlock[], more?: Record<string, unknown>]>([
    ['in another order of blocks', plain.toReversed()],
    ['with labels, notes and units', swap({ ...scaled, label: 'a line', note: 'through 0', unit: 'm' })],
    ['with spaces in a formula', swap({ ...scaled, formula: ' a*x ' })],
    ['with a number spelt otherwise', swap({ ...a, initial: 2.0, lower: 0, upper: 'Infinity', fixed: false })],
    [
      'where what lies between has other names',
      [x, y, a, offset, { ...scaled, id: 'zz' }, { ...line, id: 'q', formula: 'zz + b' }, { ...loss, prediction: 'q' }],
    ],
    [
      'where columns, tables and the objective have other names',
      [
        { ...x, id: 'time', table: 'other' },
        { ...y, id: 'seen', table: 'other' },
        a,
        offset,
        { ...scaled, inputs: { x: 'time' } },
        line,
        { ...loss, id: 'l2', observed: 'seen' },
      ],
      { tables: { other: tables.obs }, objective: 'l2' },
    ],
    [
      'in a group, its ports renamed',
      [
        x,
        y,
        a,
        offset,
        {
          id: 'packed',
          kind: 'group',
          inputs: { u: 'x', slope: 'a', b: 'b' },
          blocks: [{ ...scaled, formula: 'slope * u' }, line],
          outputs: { out: 'g' },
        },
        { ...loss, prediction: 'packed' },
      ],
    ],
    ['beside what the objective does not ask for', [...plain, { id: 'aside', kind: 'map', formula: 'x^2' }]],
    ['with positions and a name', plain, { name: 'Line', view: { positions: { x: [1, 2] } } }],
    ['by another optimiser', plain, { fit: { method: 'adam', starts: 7, seed: 3 } }],
  ])('%s', async (_, blocks, more) => {
    expect((await meaning(blocks, more)).objective).toBe((await meaning(plain)).objective);
  });
});

describe('changes', () => {
  const obs = (values: unknown) => ({ tables: { obs: { columns: { ...tables.obs.columns, ...(values as object) } } } });
  it.each<[what: string, blocks: readonly PlainBlock[], more?: Record<string, unknown>]>([
    ['with a cell', plain, obs({ y: [2, 3, 7, 8.0000001] })],
    ['with the sign of a zero', plain, obs({ x: [-0, 2, 3, 4] })],
    ['with an operation', swap({ ...scaled, formula: 'a / x' })],
    ['with a literal', swap({ ...line, formula: 'f + b + 1e-15' })],
    ['with a start value', swap({ ...a, initial: 3 })],
    ['with a bound', swap({ ...a, lower: 0.5 })],
    ['with a scale', swap({ ...offset, scale: 'linear' })],
    ['with what is fixed', swap({ ...a, fixed: true })],
    ['with a prior', swap({ ...a, prior: { family: 'normal', mean: 2, sd: 1 } })],
    ['with the name of a parameter', [x, y, a, { ...offset, id: 'c' }, scaled, { ...line, formula: 'f + c' }, loss]],
    ['with what is known of the noise', swap({ ...loss, sigma: 1 })],
    ['with a loss', swap({ ...loss, loss: { kind: 'huber', scale: 1 } })],
    ['with the objective', [...plain, { ...loss, id: 'other', prediction: 'f' }], { objective: 'other' }],
    ['with a parameter that nothing reads', [...plain, { id: 'c', kind: 'parameter', initial: 0 }]],
  ])('%s', async (_, blocks, more) => {
    expect((await meaning(blocks, more)).objective).not.toBe((await meaning(plain)).objective);
  });

  it('of the outputs that a block feeds alone', async () => {
    const before = await meaning(plain);
    const after = await meaning(swap({ ...line, formula: 'f - b' }));
    const changed = [...after.outputs].filter(([id, text]) => before.outputs.get(id) !== text).map(([id]) => id);
    expect(changed).toEqual(['g', 'loss']);
  });
});

describe('a quantity of parameters', () => {
  const half: PlainBlock = { id: 'half', kind: 'quantity', formula: 'log(2)/a' };
  const quantity = async (blocks: readonly PlainBlock[]) => (await meaning(blocks)).quantities.get('half');

  it('is the same wherever a fit begins', async () => {
    const moved = [...swap({ ...a, initial: 3 }), half];
    expect(await quantity(moved)).toBe(await quantity([...plain, half]));
    expect(quantityMeaning(await model(moved, { tables, objective: 'loss' }), 'half')).toBe(await quantity(moved));
  });

  it('is another with its formula, and with the value of what is fixed', async () => {
    const fixed = (initial: number) => quantity([...swap({ ...a, initial, fixed: true }), half]);
    expect(await quantity([...plain, { ...half, formula: 'log(3)/a' }])).not.toBe(await quantity([...plain, half]));
    expect(await fixed(3)).not.toBe(await fixed(2));
  });
});

const folder = join(import.meta.dirname, '../../../models/catalogue');

async function meaningOfDraft(draft: Draft): Promise<Meaning> {
  const parsed = parseDocument(JSON.stringify(draft));
  if ('problems' in parsed) throw new Error(parsed.problems[0]?.message);
  const { model, problems } = await loadModel(parsed.document, nodeFiles(folder));
  if (!model) throw new Error(problems[0]?.message);
  return modelMeaning(model);
}

describe.each(catalogue)('$name', ({ name }) => {
  it('means the same with any of its blocks packed, and unpacked again', async () => {
    const { draft } = readDraft(await readDocument(join(folder, `${name}.cot.json`)));
    const { objective } = await meaningOfDraft(draft);
    expect(objective).toBeDefined();
    const all = packable(
      draft,
      draft.blocks.map(({ id }) => id),
    );
    const packings = [all, ...all.map((id) => [id])].filter((ids) => whyNotPacked(draft, ids) === undefined);
    for (const ids of packings) {
      const packed = pack(draft, { ids, id: 'packed' });
      expect(packed, ids.join()).not.toBe(draft);
      expect((await meaningOfDraft(packed)).objective, ids.join()).toBe(objective);
      expect((await meaningOfDraft(unpack(packed, 'packed'))).objective, ids.join()).toBe(objective);
    }
  });
});

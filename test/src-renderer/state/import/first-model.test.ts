/** Tables that were imported, as documents that load. */
import { describe, expect, it } from 'vitest';
import { beginImport } from '../../../../models/tables/import/import.ts';
import { columnsInside } from '../../../../models/tables/import/write.ts';
import { suggest } from '../../../../models/suggest/suggest.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { addedTable, firstModel } from '../../../../src-renderer/state/import/first-model.ts';
import type { TakenColumn } from '../../../../src-renderer/state/import/first-model.ts';
import { sigmaOf } from '../../../../src-renderer/state/import/import-roles.ts';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import { load } from '../../../support/documents.ts';

/** As the window does it, with what was found. */
async function imported(text: string): Promise<{ draft: Draft; columns: TakenColumn[]; entry: { columns: object } }> {
  const { columns, rows, roles } = await beginImport('t.csv', new TextEncoder().encode(text)).read({});
  const x = columns[roles.indexOf('x')]?.values;
  const taken = columns.map(({ name, unit, type, values }, j): TakenColumn => {
    const sigma = sigmaOf(roles, j);
    const abscissa = x ?? Float64Array.from({ length: rows }, (_, row) => row);
    const found =
      roles[j] === 'y' && values
        ? suggest(abscissa, values, sigma === undefined ? undefined : columns[sigma]?.values)
        : undefined;
    return { name, unit: unit ?? '', type, role: roles[j]!, shape: found?.shapes[0] };
  });
  const entry = columnsInside(columns, rows);
  return { draft: firstModel('Test', entry, taken), columns: taken, entry };
}

async function problems(draft: Draft): Promise<string[]> {
  const { blocks, tables, objective } = draft;
  const loaded = await load(blocks, { tables, ...(objective !== undefined && { objective }) });
  return loaded.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

const blocksOf = ({ blocks }: Draft) => Object.fromEntries(blocks.map(({ id, ...block }) => [id, block]));

describe('a first model', () => {
  it('of x, y and σ has them wired to the shape that is nearest, with start values and units', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `${i},${(5 * Math.exp(-0.3 * i)).toFixed(4)},0.1`);
    const { draft } = await imported(`t (h),conc (mg/L),sd\n${rows.join('\n')}\n`);
    expect(blocksOf(draft)).toEqual({
      t: { kind: 'column', table: 'data', column: 't', unit: 'h' },
      conc: { kind: 'column', table: 'data', column: 'conc', unit: 'mg/L' },
      sd: { kind: 'column', table: 'data', column: 'sd' },
      A: { kind: 'parameter', initial: 5 },
      k: { kind: 'parameter', initial: 0.3 },
      model: { kind: 'map', formula: 'A * exp(-k * t)' },
      misfit: { kind: 'least-squares', prediction: 'model', observed: 'conc', sigma: 'sd' },
    });
    expect(draft).toMatchObject({ name: 'Test', objective: 'misfit' });
    expect(await problems(draft)).toEqual([]);
  });

  it('in groups has parameters for each, also where groups are numbers', async () => {
    const rows = [1, 2, 3].flatMap((subject) => [0, 1, 2, 3].map((t) => `${subject},${t},${subject + t}`));
    const { draft } = await imported(`subject,t,y\n${rows.join('\n')}\n`);
    expect(blocksOf(draft)).toMatchObject({
      subject: { type: 'category' },
      a: { kind: 'parameter', like: 'subject' },
      a_row: { kind: 'gather', from: 'a', indices: 'subject' },
      model: { formula: 'a_row + b_row * t' },
    });
    expect(await problems(draft)).toEqual([]);
  });

  it('of one column runs over its row number', async () => {
    const { draft } = await imported('y\n1\n2\n3\n4\n');
    expect(blocksOf(draft)).toMatchObject({ row: { kind: 'range', like: 'y' }, model: { formula: 'a + b * row' } });
    expect(await problems(draft)).toEqual([]);
  });

  it('gives ids that are free to columns whose names are not', async () => {
    const { draft } = await imported('e,exp,A\n0,1,2\n1,2,3\n2,3,4\n');
    expect(draft.blocks.slice(0, 2).map(({ id }) => id)).toEqual(['e_', 'exp_']);
    expect(await problems(draft)).toEqual([]);
    const odd = await imported('__proto__,µ,2x\n0,1,2\n1,2,3\n2,3,4\n');
    expect(await problems(odd.draft)).toEqual([]);
  });

  it('of labels alone is none', async () => {
    const { draft } = await imported('name\nann\nbob\ncy\n');
    expect(draft.blocks).toEqual([]);
    expect(draft['objective']).toBeUndefined();
  });
});

it('a table is added to a model under names that are free', async () => {
  const { draft, columns, entry } = await imported('t,y\n0,1\n1,2\n2,4\n');
  const both = applyCommand(draft, addedTable(draft, 'data', entry, columns));
  expect(Object.keys(both['tables'] as object)).toEqual(['data', 'data2']);
  expect(both.blocks.slice(-2)).toEqual([
    { id: 't2', kind: 'column', table: 'data2', column: 't' },
    { id: 'y2', kind: 'column', table: 'data2', column: 'y' },
  ]);
  expect(both['objective']).toBe('misfit');
  expect(await problems(both)).toEqual([]);
});

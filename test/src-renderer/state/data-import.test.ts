import { describe, expect, it } from 'vitest';
import { readTable, suggestModel, unitOfHeader } from '../../../src-renderer/state/data-import.ts';

describe('a table that comes in', () => {
  it('is read with its delimiter, decimal comma, header and units', () => {
    const table = readTable('t (h);conc (mg/L)\n0;1,5\n1;2,5\n2;NA\n');
    expect(table).toMatchObject({ delimiter: ';', decimal: ',', header: true, rows: 3 });
    expect(table.columns.map(({ cells }) => cells)).toEqual([
      [0, 1, 2],
      [1.5, 2.5, null],
    ]);
    expect(unitOfHeader('conc (mg/L)')).toEqual({ name: 'conc', unit: 'mg/L' });
  });

  it('becomes a model whose line starts at the data', () => {
    const draft = suggestModel(readTable('x,y\n0,1\n1,3\n2,5'), 'Line');
    expect(draft.blocks.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'x column',
      'a parameter',
      'b parameter',
      'model map',
      'y column',
      'misfit least-squares',
    ]);
    expect(draft.blocks.find(({ id }) => id === 'a')).toMatchObject({ initial: 1 });
    expect(draft.blocks.find(({ id }) => id === 'b')).toMatchObject({ initial: 2 });
    expect(draft['objective']).toBe('misfit');
  });

  it('without numbers is refused', () => {
    expect(() => suggestModel(readTable('name\nann\nbob'), 'Names')).toThrow('No column of numbers');
  });
});

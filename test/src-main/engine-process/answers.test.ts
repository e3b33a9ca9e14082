/** What the window is answered when it asks for a text of the model. */
import { describe, expect, it } from 'vitest';
import { createDevices } from '../../../src-main/compute/running/devices.ts';
import { createSessions } from '../../../src-main/compute/sessions.ts';
import { answers } from '../../../src-main/engine-process/answers.ts';

const document = {
  format: 'cotangent/1',
  name: 'Two',
  blocks: [
    { id: 'a', kind: 'parameter', initial: 2 },
    { id: 'y', kind: 'map', formula: 'a^2' },
  ],
  objective: 'y',
};

describe('model.export', () => {
  const devices = createDevices();
  const handlers = answers(createSessions('models/catalogue'), devices, 'cpu');
  const exported = async (to: 'csv' | 'jax' | 'html', blocks: readonly object[] = document.blocks): Promise<string> => {
    const given = { document: { ...document, blocks }, location: { kind: 'unsaved' as const } };
    return (await handlers['model.export']({ ...given, to, fit: null, version: '1.2.3' })).text;
  };

  it('gives what the command line writes', async () => {
    expect(await exported('csv')).toBe('a,y\r\n2,4\r\n');
    expect(await exported('jax')).toContain('Written by Cotangent 1.2.3');
    expect(await exported('html')).toContain('This model has not been fitted.');
  });

  it('refuses a document with errors', async () => {
    await expect(exported('csv', [{ id: 'y', kind: 'map', formula: 'a^2' }])).rejects.toThrow("'a' is not known");
  });
});

describe('model.check', () => {
  const handlers = answers(createSessions('models/catalogue'), createDevices(), 'cpu');
  const checked = (...blocks: readonly object[]) =>
    handlers['model.check']({
      document: { ...document, blocks: [...document.blocks, ...blocks] },
      location: { kind: 'unsaved' },
    });

  it('tells what the objective means while only quantities are at fault, which change no fit', async () => {
    const sound = await checked();
    const { meaning, handle, problems } = await checked(
      { id: 'q', kind: 'quantity', formula: 'sum(a)' },
      { id: 'r', kind: 'quantity' },
      { id: 's', kind: 'quantity', formula: '2*a' },
    );
    expect(meaning?.objective).toBe(sound.meaning?.objective);
    expect(Object.keys(meaning?.outputs ?? {})).toContain('s');
    expect(handle).toBeDefined();
    expect(problems.map(({ block }) => block)).toEqual(expect.arrayContaining(['q', 'r']));
  });

  it('leaves out what is at fault and what needs it, and tells the rest', async () => {
    const sound = await checked();
    const { meaning, handle, problems, blocks } = await checked(
      { id: 'z', kind: 'map', formula: 'nowhere' },
      { id: 'of_z', kind: 'map', formula: 'z + a' },
      { id: 'x', kind: 'map', formula: 'a + 1' },
      { id: 'broken', kind: 'map', formulae: 'a' },
      { id: 'g', kind: 'group', blocks: [{ id: 'i', kind: 'map', formula: 'nowhere' }], outputs: { o: 'i' } },
    );
    expect(meaning?.objective).toBe(sound.meaning?.objective);
    expect(Object.keys(meaning?.outputs ?? {}).sort()).toEqual(['a', 'x', 'y']);
    expect(handle).toBeDefined();
    expect([...new Set(problems.map(({ block }) => block))].sort()).toEqual(['broken', 'g/i', 'z']);
    expect(blocks.map(({ id }) => id)).toContain('of_z');
  });

  it('takes an objective that is at fault for none, and is no other', async () => {
    const of = (keys: object) =>
      handlers['model.check']({ document: { ...document, ...keys }, location: { kind: 'unsaved' } });
    const z = { id: 'z', kind: 'map', formula: 'nowhere' };
    for (const keys of [
      { objective: ['y', 'z'], blocks: [...document.blocks, z] },
      { objective: 'nobody' },
      { fit: { method: 'guess' } },
    ]) {
      const { meaning, handle, blocks } = await of(keys);
      expect(handle).toBeUndefined();
      expect(Object.keys(meaning?.outputs ?? {})).toEqual(['a', 'y']);
      expect(blocks.map(({ id }) => id)).toEqual(expect.arrayContaining(['a', 'y']));
    }
    expect((await of({ objective: ['y', 'z'], blocks: [...document.blocks, z] })).meaning?.objective).toBeUndefined();
  });

  it('goes on beside a table that cannot be read', async () => {
    const { meaning, problems } = await handlers['model.check']({
      document: {
        ...document,
        tables: { there: { columns: { v: [1, 2] } }, gone: { file: 'gone.csv' } },
        blocks: [
          ...document.blocks,
          { id: 'v', kind: 'column', table: 'there', column: 'v' },
          { id: 'w', kind: 'column', table: 'gone', column: 'w' },
          { id: 'm', kind: 'map', formula: 'w + v' },
        ],
      },
      location: { kind: 'unsaved' },
    });
    expect(problems).toHaveLength(1);
    expect(Object.keys(meaning?.outputs ?? {}).sort()).toEqual(['a', 'v', 'y']);
  });
});

describe('model.evaluate', () => {
  it('gives the values of what no fault is in, and says what is wrong', async () => {
    const handlers = answers(createSessions('models/catalogue'), createDevices(), 'cpu');
    const blocks = [
      ...document.blocks,
      { id: 'z', kind: 'map', formula: 'log(' },
      { id: 'x', kind: 'map', formula: 'a + 1' },
    ];
    const given = { document: { ...document, blocks }, location: { kind: 'unsaved' as const } };
    const { values, faults } = await handlers['model.evaluate']({
      ...given,
      outputs: ['y', 'x', 'z'],
      parameters: { a: 3 },
    });
    expect(Object.entries(values).map(([name, { values }]) => [name, ...values])).toEqual([
      ['y', 9],
      ['x', 4],
    ]);
    expect(faults.map(({ block }) => block)).toEqual(['z']);
  });
});

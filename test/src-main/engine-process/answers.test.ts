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
    expect(handle).toBeUndefined();
    expect(problems.map(({ block }) => block)).toEqual(expect.arrayContaining(['q', 'r']));
  });

  it('tells nothing while anything else is', async () => {
    const faulty = { id: 'q', kind: 'quantity', formula: 'sum(a)' };
    expect((await checked(faulty, { id: 'z', kind: 'map', formula: 'b' })).meaning).toBeUndefined();
    // What reads a quantity at fault has no value either.
    expect((await checked(faulty, { id: 'z', kind: 'map', formula: 'q' })).meaning).toBeUndefined();
  });
});

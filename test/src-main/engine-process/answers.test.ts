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

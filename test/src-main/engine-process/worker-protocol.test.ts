/** What passes between the engine process's thread and its workers is what it is said to be, or a fault. */
import { describe, expect, it } from 'vitest';
import { createControl } from '../../../src-main/engine-process/job-control.ts';
import { readFromWorker, readToWorker } from '../../../src-main/engine-process/worker-protocol.ts';

const model = { document: {}, location: { kind: 'unsaved' }, parameters: { k: 1, l: [1, NaN] } };
const job = (work: object, more: object = {}) => ({
  ...{ type: 'job', name: 'job-1', control: createControl() },
  job: { ...model, work, ...more },
});

describe('a message to a worker', () => {
  it.each([
    ['a request', { type: 'request', message: { type: 'request', id: 1, name: 'devices.list', body: {} } }],
    ['a fit as the command line has it', job({ kind: 'fit', method: undefined, start: { k: 2 }, adam: { rate: 0.1 } })],
    ['a study', job({ kind: 'study', study: { kind: 'sensitivity', method: 'local' } }, { device: 'cpu' })],
  ])('%s arrives as it was sent', (_, message) => {
    expect(readToWorker(structuredClone(message))).toEqual(message);
  });

  it.each([
    ['of no kind', {}],
    [
      'a request that the contract lacks',
      { type: 'request', message: { type: 'request', id: 1, name: 'x', body: {} } },
    ],
    ['a job that nobody can rule', { ...job({ kind: 'fit' }), control: [0, 0] }],
    ['work of no kind', job({ kind: 'guess' })],
    ['a device that there is not', job({ kind: 'fit' }, { device: 'abacus' })],
  ])('%s is a fault', (_, message) => {
    expect(() => readToWorker(message)).toThrow();
  });
});

describe('a message from a worker', () => {
  it('is a packed reply, a refusal or an event of the contract', () => {
    const messages = [
      { type: 'packed', id: 1, frame: Uint8Array.of(1) },
      { type: 'refusal', id: 2, message: 'no', problems: [{ severity: 'error', message: 'no' }] },
      { type: 'event', name: 'job.done', body: {} },
    ];
    expect(messages.map(readFromWorker)).toEqual(messages);
    for (const wrong of [
      null,
      { type: 'request', id: 1 },
      { type: 'packed', id: 1, frame: [1] },
      { type: 'event', name: 'constructor', body: {} },
    ])
      expect(() => readFromWorker(wrong)).toThrow();
  });
});

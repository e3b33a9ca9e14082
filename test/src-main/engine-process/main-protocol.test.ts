/** What passes between the desktop's main process and the engine is checked where it arrives. */
import { describe, expect, it, vi } from 'vitest';
import { readFromEngine, readToEngine } from '../../../src-main/engine-process/main-protocol.ts';

const unreadable: readonly unknown[] = [
  ...[undefined, null, 0, 'connect', [], {}, { type: 'nothing' }, { type: '__proto__' }],
  ...[{ type: 'grant' }, { type: 'grant', folder: '/data' }, { type: 'grant', folder: 7, id: 0 }],
  ...[
    { type: 'grant', folder: '', id: 0 },
    { type: 'grant', folder: '/data', id: NaN },
  ],
  ...[
    { type: 'grant', folder: '/data', id: -1 },
    { type: 'connect', folder: '/' },
  ],
  ...[{ type: 'granted' }, { type: 'granted', id: '0' }, { type: 'want-gpu', id: 0 }],
];

describe('messages between the main process and the engine', () => {
  it.each([
    ['to the engine', readToEngine, [{ type: 'connect' }, { type: 'gpu' }, { type: 'gpu-gone' }]],
    ['to the engine', readToEngine, [{ type: 'grant', folder: '/data', id: 3 }]],
    ['to the main process', readFromEngine, [{ type: 'want-gpu' }, { type: 'granted', id: 3 }]],
  ] as const)('arrive as they were sent %s', (_, read, messages) => {
    const fault = vi.fn();
    expect(messages.map((message) => read(structuredClone(message), fault))).toEqual(messages);
    expect(fault).not.toHaveBeenCalled();
  });

  it.each([
    ['the main process', readToEngine],
    ['the engine process', readFromEngine],
  ] as const)('are told in one sentence and passed over where %s sent none of its protocol', (from, read) => {
    for (const message of unreadable) {
      const fault = vi.fn<(sentence: string) => void>();
      expect(read(message, fault)).toBeUndefined();
      expect(fault).toHaveBeenCalledOnce();
      const [sentence] = fault.mock.calls[0]!;
      expect(sentence).toContain(`a message from ${from} was passed over`);
      expect(sentence).not.toContain('\n');
    }
  });
});

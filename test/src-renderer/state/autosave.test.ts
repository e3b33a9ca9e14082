import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Autosave } from '../../../src-renderer/state/autosave.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A document that is edited, and a disk that takes `slow` milliseconds and may fail. */
function createDocument(slow = 5) {
  const document = { edits: 0, saved: 0, saves: 0, fails: false, may: true };
  const autosave = new Autosave({
    wanted: () => document.may && document.saved < document.edits,
    async save() {
      document.saves += 1;
      const { edits } = document;
      await new Promise((resolve) => setTimeout(resolve, slow));
      if (document.fails) return false;
      document.saved = edits;
      return true;
    },
  });
  const edit = (): void => {
    document.edits += 1;
    autosave.look();
  };
  return { document, edit, autosave };
}

it('saves within a second in a run of edits without a pause', async () => {
  const { document, edit } = createDocument();
  const editedAt = new Map<number, number>();
  let late = 0;
  for (let i = 1; i <= 100; i++) {
    edit();
    editedAt.set(i, performance.now());
    await vi.advanceTimersByTimeAsync(90);
    const first = editedAt.get(document.saved + 1);
    if (first !== undefined) late = Math.max(late, performance.now() - first);
  }
  expect(late).toBeLessThan(1000);
  expect(document.saves).toBeLessThan(25);
  expect(document.saves).toBeGreaterThan(10);
});

it('saves what was edited during a slow save as soon as that has ended', async () => {
  const { document, edit } = createDocument(3000);
  edit();
  await vi.advanceTimersByTimeAsync(1000);
  edit();
  await vi.advanceTimersByTimeAsync(2600);
  expect(document).toMatchObject({ saved: 1, saves: 2 });
  await vi.advanceTimersByTimeAsync(3000);
  expect(document).toMatchObject({ saved: 2, saves: 2 });
});

it('tries again what failed, without a further edit, and ever more rarely', async () => {
  const { document, edit } = createDocument();
  document.fails = true;
  edit();
  await vi.advanceTimersByTimeAsync(3000);
  expect(document.saves).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(document.saves).toBeLessThan(8);
  document.fails = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(document.saved).toBe(1);
});

it('waits while nothing may be saved, and goes on once it may', async () => {
  const { document, edit, autosave } = createDocument();
  document.may = false;
  edit();
  await vi.advanceTimersByTimeAsync(5000);
  expect(document.saves).toBe(0);
  document.may = true;
  autosave.look();
  await vi.advanceTimersByTimeAsync(1000);
  expect(document.saved).toBe(1);
});

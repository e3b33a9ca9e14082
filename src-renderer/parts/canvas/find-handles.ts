/**
 * Handles are found anew when ports come, go or change their edge. Svelte Flow goes over every node each time that it is
 * told, so it is told once of all blocks that wait.
 */
let waiting = new Set<string>();

/** `update` is Svelte Flow's; all blocks of a canvas have the same. */
export function findHandles(id: string, update: (ids: string[]) => void): void {
  waiting.add(id);
  if (waiting.size > 1) return;
  queueMicrotask(() => {
    const ids = [...waiting];
    waiting = new Set();
    update(ids);
  });
}

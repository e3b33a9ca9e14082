/**
 * What has to be measured after a change of its own is measured with everything else that waits: all changes first, then
 * all measures, then what follows from them. One by one, each would lay out the whole window.
 */
export interface Measure {
  /** What a block holds has its size before the block is measured. */
  readonly of: 'content' | 'block';
  /** Lets the element have the size that it takes by itself. */
  readonly release: () => void;
  /** Reads that size; what it returns is called after all have been read. */
  readonly read: () => () => void;
}

let waiting: Measure[] = [];

function measureTogether(measure: Measure): void {
  waiting.push(measure);
  if (waiting.length === 1) queueMicrotask(measureAll);
}

function measureAll(): void {
  const all = waiting;
  waiting = [];
  for (const { release } of all) release();
  for (const stage of ['content', 'block'] as const) {
    const then = all.filter(({ of }) => of === stage).map(({ read }) => read());
    for (const apply of then) apply();
  }
}

/** Now, and once more when the fonts are there: letters are as wide as their font, which may come later than they. */
export function measureWithFonts(measure: Measure): void {
  measureTogether(measure);
  if (document.fonts.status !== 'loaded') void document.fonts.ready.then(() => measureTogether(measure));
}

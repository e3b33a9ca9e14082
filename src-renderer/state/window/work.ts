/** Long work as the window tells of it. */
export interface Work {
  /** What it is at, in a few words. */
  readonly stage: string;
  /** How much is done, from 0 to 1, where that can be known. */
  readonly share?: number | undefined;
  /** Milliseconds of the clock; later by what was spent in pauses. */
  readonly startedAt: number;
  readonly pausedAt?: number | undefined;
}

const leastShare = 0.05;
const leastSeconds = 1;

/** What is left if it goes on as it did; undefined until enough is done to be worth saying. */
export function secondsLeft({ share }: Work, elapsed: number): number | undefined {
  if (share === undefined || share <= leastShare || elapsed <= leastSeconds) return undefined;
  return (elapsed * (1 - share)) / share;
}

/** Time spent in a pause is no time at work. */
export function resumed<W extends Work>(work: W, now: number): W {
  if (work.pausedAt === undefined) return work;
  return { ...work, startedAt: work.startedAt + now - work.pausedAt, pausedAt: undefined };
}

/** What is at this stage after what was before, if it was known. */
export function advanced(
  before: Work | null,
  { stage, share }: Pick<Work, 'stage' | 'share'>,
  paused: boolean,
  now: number,
): Work {
  const known = before ?? { stage, startedAt: now };
  const { startedAt } = paused ? known : resumed(known, now);
  return { stage, share, startedAt, pausedAt: paused ? (before?.pausedAt ?? now) : undefined };
}

export interface HistoryPoint {
  readonly x: number;
  readonly y: number;
}

const mostPoints = 2000;

/** A history that may go on for hours: when it is long, every other point goes. */
export function extended(history: readonly HistoryPoint[], point: HistoryPoint): readonly HistoryPoint[] {
  const kept = history.length < mostPoints ? history : history.filter((_, i) => i % 2 === 0);
  return [...kept, point];
}

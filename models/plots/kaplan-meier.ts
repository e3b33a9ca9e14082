/**
 * Kaplan and Meier's estimate of the share that is still there: S(t) = Π (1 − dᵢ/nᵢ) over the times tᵢ ≤ t at which dᵢ ended of
 * the nᵢ that were there until then; what is lost at a time was there at it. Kaplan and Meier (1958), JASA 53, 457–481.
 */
export interface Steps {
  /** The times at which something ended, ascending. */
  readonly x: number[];
  /** The share behind each. */
  readonly y: number[];
}

/** `ended`: of each time, whether it ended then or was lost; times that are no numbers count for nothing. */
export function kaplanMeier(times: ArrayLike<number>, ended: ArrayLike<boolean>): Steps {
  const rows = Array.from(times, (_, row) => row)
    .filter((row) => Number.isFinite(times[row]))
    .sort((a, b) => times[a]! - times[b]!);
  const [x, y]: [number[], number[]] = [[], []];
  let share = 1;
  for (let from = 0; from < rows.length;) {
    const time = times[rows[from]!]!;
    let [to, ends] = [from, 0];
    for (; to < rows.length && times[rows[to]!] === time; to++) ends += Number(ended[rows[to]!]);
    if (ends > 0) {
      share *= 1 - ends / (rows.length - from);
      x.push(time);
      y.push(share);
    }
    from = to;
  }
  return { x, y };
}

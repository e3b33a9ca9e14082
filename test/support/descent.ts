/** The gradient descent of GradBench's `particle` and `saddle`, as a loop. */
export function least(
  f: (x: number[]) => number,
  slopes: (x: number[]) => number[],
  start: readonly number[],
): number[] {
  let x = [...start];
  let [rate, row, slope] = [1e-5, 0, slopes(x)];
  for (;;) {
    if (Math.hypot(...slope) <= 1e-5) return x;
    if (row === 10) {
      [rate, row] = [2 * rate, 0];
      continue;
    }
    const next = x.map((each, i) => each - rate * slope[i]!);
    if (Math.hypot(...next.map((each, i) => each - x[i]!)) <= 1e-5) return x;
    if (f(next) < f(x)) [x, slope, row] = [next, slopes(next), row + 1];
    else [rate, row] = [rate / 2, 0];
  }
}

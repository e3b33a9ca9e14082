/** What the axes of a plot reach over: what is drawn, and nothing that has no place on them. */
import { isPlaced, type Plot } from './plots.ts';

/** Points or a line, and with each of them the ends of what stands around it. */
export interface Drawn {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly ends?: readonly (readonly number[])[];
}

/** An end that has no place itself is for the axis to leave out. */
export function drawnValues(plot: Plot, all: readonly Drawn[]): { readonly x: number[]; readonly y: number[] } {
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const { x, y, ends = [] } of all)
    x.forEach((at, i) => {
      if (!isPlaced(plot, at, y[i]!)) return;
      xs.push(at);
      ys.push(y[i]!);
      for (const end of ends) ys.push(end[i]!);
    });
  return { x: xs, y: ys };
}

/** Where the bars around values end; at the values where there is none. */
export const barEnds = (y: readonly number[], errors: readonly number[]): (readonly number[])[] =>
  [-1, 1].map((side) => y.map((value, i) => value + side * (errors[i] || 0)));

/** What is said of shapes that do not broadcast together. */
import type { Output, Sizes } from '../kind.ts';
import { broadcastSizes, printOutput } from './sizes.ts';

/** The first two inputs whose shapes do not broadcast together, in words. */
export function disagreement(
  names: readonly string[],
  inputs: readonly Output[],
): [message: string, details: { port: string; wanted: string; got: string; fix?: string }] {
  for (const [j, right] of inputs.entries())
    for (const [i, left] of inputs.slice(0, j).entries()) {
      if (broadcastSizes([left.sizes, right.sizes])) continue;
      const [wanted, got] = [printOutput(left), printOutput(right)];
      const message = `"${names[i]}" is ${wanted} and "${names[j]}" is ${got}: these shapes do not go together`;
      return [message, { port: names[j]!, wanted, got, ...reshapeFix(left.sizes, right.sizes) }];
    }
  // Three that agree two by two agree all together, so this is not reached with inputs that disagree.
  return ['the shapes of its inputs do not go together', { port: names[0] ?? '', wanted: '', got: '' }];
}

function reshapeFix(left: Sizes, right: Sizes): { fix?: string } {
  const single = [left, right].find((sizes) => sizes.length === 1 && sizes[0]?.value === 1);
  if (single)
    return {
      fix: 'an axis of data does not broadcast, even with one row: reshape it to [] or take an element by "gather"',
    };
  const [low, high] = left.length < right.length ? [left, right] : [right, left];
  if (low.length === 1 && high.length === 2 && low[0]?.value === high[0]?.value)
    return { fix: 'shapes align at the last axis: reshape the vector to [-1, 1] for one value a row' };
  return {};
}

import type { InferContext } from './kind.ts';

/** A kind of the format that is read and checked, and not run. */
export function notYet(context: InferContext, kind: string): undefined {
  return context.fail(`this version reads "${kind}" blocks and does not run them yet`);
}

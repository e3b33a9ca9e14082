/**
 * Where NaN begins on the way back from the objective. A block hands NaN on from its outputs to all of its inputs, so a
 * wire is where it begins when nothing comes back NaN into the block that takes it.
 */
import type { RequestOutput } from '../../../src-main/contract/contract.ts';
import { blockOfReference } from '../document/wiring.ts';

export type WireAdjoint = RequestOutput<'model.adjoints'>['wires'][number];

/** `sourceOf` tells the reference that a port takes. */
export function nanOrigins(
  wires: readonly WireAdjoint[],
  sourceOf: (block: string, port: string) => string | undefined,
): readonly WireAdjoint[] {
  const spoilt = wires.filter((wire) => wire.missing > 0);
  const reached = new Set(
    spoilt.flatMap(({ block, port }) => {
      const source = sourceOf(block, port);
      return source === undefined ? [] : [blockOfReference(source)];
    }),
  );
  return spoilt.filter(({ block }) => !reached.has(block));
}

/**
 * Where NaN first arises on the way forward: the blocks upstream of `reference` whose value has a NaN and of whose inputs
 * none has.
 */
export function nanSources(
  reference: string,
  hasNan: (reference: string) => boolean,
  inputsOf: (block: string) => readonly string[],
): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (at: string): void => {
    if (seen.has(at) || !hasNan(at)) return;
    seen.add(at);
    const spoilt = inputsOf(blockOfReference(at)).filter(hasNan);
    if (spoilt.length === 0) found.add(blockOfReference(at));
    for (const input of spoilt) visit(input);
  };
  visit(reference);
  return [...found];
}

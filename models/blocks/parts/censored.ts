/**
 * What a likelihood knows of observations that were not seen as they are. `left` and `right` are limits, which an observation
 * that lies at them or beyond has reached, or marks of the rows that are; `interval` ends what begins at `observed`.
 */
import * as v from 'valibot';
import type { Value } from '../../../engine/index.ts';
import { refOrNumber, strict } from '../../notation/fields.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import type { Family } from '../../objective/families/family.ts';
import type { Seen, SeenKey } from '../../objective/observation.ts';
import { asReal } from './convert.ts';
import type { InferContext, LowerContext, Output, Sizes, Wire } from '../kind.ts';
import { knownValues } from './known.ts';
import { checkLimits, type Limits } from './limits.ts';
import { broadcastSizes, printOutput, printSizes } from './sizes.ts';
import { toldBy } from './told.ts';

const part = v.exactOptional(refOrNumber);
export const censoredSchema = strict({ left: part, right: part, interval: part });
export const truncatedSchema = strict({ lower: part, upper: part });

interface SeenBlock {
  readonly family: string;
  readonly censored?: v.InferOutput<typeof censoredSchema>;
  readonly truncated?: v.InferOutput<typeof truncatedSchema>;
}

interface Entry {
  readonly key: SeenKey;
  readonly port: string;
  readonly value: number | string;
}

/** In the order in which they are lowered. */
function entriesOf({ censored, truncated }: SeenBlock): Entry[] {
  const entries = (group: string, of: object | undefined): Entry[] =>
    Object.entries(of ?? {}).map(([key, value]) => ({
      key: key as SeenKey,
      port: `${group}.${key}`,
      value: value as number | string,
    }));
  return [...entries('censored', censored), ...entries('truncated', truncated)];
}

export function seenWires(block: SeenBlock): Wire[] {
  return entriesOf(block).flatMap(({ port, value }) =>
    typeof value === 'string' && !isDocumentNumber(value) ? [{ port, ref: value }] : [],
  );
}

/** How each is told; undefined where one is at fault, which has been said. `sizes`: those of the block. */
export function checkSeen(
  block: SeenBlock,
  context: InferContext,
  family: Family,
  observed: Output,
  sizes: Sizes,
): Seen | undefined {
  let seen: Seen = {};
  for (const { key, port, value } of entriesOf(block)) {
    if (!family.tails)
      return context.fail(
        `the family ${block.family} has no distribution function here, which "${port}" wants; normal and log-normal have`,
        { port },
      );
    const output = isDocumentNumber(value) ? undefined : context.input(port);
    if (!isDocumentNumber(value) && !output) return undefined;
    if (output && broadcastSizes([sizes, output.sizes])?.length !== sizes.length) {
      const [wanted, got] = [printSizes(sizes), printOutput(output)];
      return context.fail(`"${port}" wants a number or an array ${wanted}, got ${got}`, { port, wanted, got });
    }
    const told = key === 'left' || key === 'right' ? toldBy(context, key, output, observed) : true;
    if (!told) return undefined;
    seen = { ...seen, [key]: told };
  }
  if (Object.keys(seen).length === 0) return seen;
  const least = family.observed === 'positive' ? 0 : -Infinity;
  return checkLimits(context, seen, limitsOf(block, context), { observed, least }) ? seen : undefined;
}

/** The values of each, where they are known before a fit. */
function limitsOf(block: SeenBlock, context: InferContext): Limits {
  return new Map(
    entriesOf(block).map(({ key, port, value }) => {
      if (isDocumentNumber(value)) return [key, [toNumber(value)]];
      const output = context.input(port);
      return [key, output && knownValues(context, port, output)];
    }),
  );
}

/** What comes to each, as reals. */
export function seenValues(block: SeenBlock, seen: Seen, context: LowerContext): Map<SeenKey, Value> {
  const b = context.builder;
  return new Map(
    entriesOf(block)
      .filter(({ key }) => seen[key] !== undefined)
      .map(({ key, port, value }) => {
        if (isDocumentNumber(value)) return [key, b.literal(toNumber(value))];
        const given = context.input(port);
        return [key, given.type.element === 'bool' ? b.apply('real', given) : asReal(b, given)];
      }),
  );
}

/** −log p(observed), constants included, summed over what was observed. */
import * as v from 'valibot';
import type { ScalarOperand, Value } from '../../engine/index.ts';
import { common, oneOf, ref, refOrNumber, strict } from '../format/fields.ts';
import { didYouMean } from '../format/names.ts';
import { expression } from '../objective/expression.ts';
import { draws } from '../objective/draws.ts';
import { families, familyNames, type Family } from '../objective/families.ts';
import { counted, sampledTerm } from '../objective/sampled.ts';
import { countObserved, sumAll, whereObserved } from '../objective/sums.ts';
import type { Again } from '../objective/term.ts';
import { argumentOutput, argumentValue, argumentWires } from './parts/arguments.ts';
import { asReal, wantNumber } from './parts/convert.ts';
import { blockKind, type LowerContext, type Sizes } from './kind.ts';
import { disagreement } from './map.ts';
import { checkObserved, checkTrials, compareUnits, wantPositive } from './parts/observed.ts';
import { broadcastSizes } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('likelihood'),
  ...common,
  family: oneOf(familyNames),
  observed: ref,
  mean: v.exactOptional(refOrNumber),
  sigma: v.exactOptional(refOrNumber),
  probability: v.exactOptional(refOrNumber),
  trials: v.exactOptional(refOrNumber),
  scale: v.exactOptional(refOrNumber),
  degrees: v.exactOptional(refOrNumber),
  dispersion: v.exactOptional(refOrNumber),
});

export type LikelihoodBlock = v.InferOutput<typeof schema>;

const argumentKeys = ['mean', 'sigma', 'probability', 'trials', 'scale', 'degrees', 'dispersion'] as const;

export const likelihood = blockKind<LikelihoodBlock, Sizes>({
  kind: 'likelihood',
  summary: 'The negative log-likelihood of what was observed.',
  group: 'objective',
  schema,
  wires: (block) => [{ port: 'observed', ref: block.observed }, ...argumentWires(block, argumentKeys)],

  infer(block, context) {
    const family: Family = families[block.family];
    const takes = `the family ${block.family} takes ${family.arguments.map((name) => `"${name}"`).join(' and ')}`;
    const extra = argumentKeys.find((key) => block[key] !== undefined && !family.arguments.includes(key));
    if (extra !== undefined) {
      const fix = didYouMean(extra, family.arguments);
      return context.fail(`${takes}, got "${extra}"`, { port: extra, ...(fix && { fix }) });
    }
    const missing = family.arguments.find((key) => block[key as (typeof argumentKeys)[number]] === undefined);
    if (missing !== undefined) return context.fail(`${takes}, and "${missing}" is missing`, { port: missing });

    const names = ['observed', ...family.arguments];
    const inputs = names.map((name) => wantNumber(context, name, argumentOutput(block, context, name)));
    const known = inputs.filter((input) => input !== undefined);
    const observed = known[0];
    if (known.length < names.length || !observed) return undefined;
    const sizes = broadcastSizes(known.map((input) => input.sizes));
    if (!sizes) return context.fail(...disagreement(names, known));
    if (!checkObserved(context, observed, family.observed)) return undefined;
    for (const [i, name] of names.entries())
      if (family.positive.includes(name) && !wantPositive(context, name, known[i] as typeof observed)) return undefined;
    if (block.family === 'binomial' && !checkTrials(context, observed, known[2] as typeof observed)) return undefined;
    if (known[1] && family.arguments[0] === 'mean' && block.family !== 'log-normal')
      compareUnits(context, known[1], observed);
    const computed = known.some((input) => input.computed);
    return { outputs: [{ name: '', element: 'real', sizes: [], computed }], detail: sizes };
  },

  lower: (block, sizes, context) => [minusLog(block, sizes, context)],

  objective: (block, sizes, context) => ({
    kind: 'likelihood',
    rows: rows(sizes, context),
    minusLog: minusLog(block, sizes, context),
    sampled: () =>
      sampledTerm(context.builder, context.shape(sizes), {
        observed: asReal(context.builder, context.input('observed')),
        arguments: familyArguments(block, context),
        draw: draws[block.family],
        minusLog: (again) => minusLog(block, sizes, context, again),
      }),
  }),
});

function rows(sizes: Sizes, context: LowerContext): Value {
  const b = context.builder;
  return countObserved(b, asReal(b, context.input('observed')), context.shape(sizes));
}

function familyArguments(block: LikelihoodBlock, context: LowerContext): Value[] {
  const family: Family = families[block.family];
  return family.arguments.map((name) => asReal(context.builder, argumentValue(block, context, name)));
}

function minusLog(block: LikelihoodBlock, sizes: Sizes, context: LowerContext, again: Again = {}): Value {
  const b = context.builder;
  const family: Family = families[block.family];
  const observed = again.observed ?? asReal(b, context.input('observed'));
  const values = familyArguments(block, context);
  const terms = whereObserved(b, observed, values, context.shape(sizes), (s, y, ...args: ScalarOperand[]) =>
    family.minusLog(expression(s), y, ...args),
  );
  return sumAll(b, counted(b, terms, again));
}

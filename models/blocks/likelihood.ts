/** −log p(observed), constants included, summed over what was observed. */
import * as v from 'valibot';
import { realLiteral, scalarFunction, type ScalarOperand, type Value } from '../../engine/index.ts';
import { common, oneOf, ref, refOrNumber, strict } from '../notation/fields.ts';
import { didYouMean } from '../notation/names.ts';
import { expression } from '../objective/expression.ts';
import {
  familyArguments,
  familyNames,
  spelledArguments,
  type Arguments,
  type FamilyArgument,
  type Range,
} from '../facts/families.ts';
import { families } from '../objective/families.ts';
import type { Family, Spelling } from '../objective/families/family.ts';
import { logOddsOf } from '../objective/log-odds.ts';
import { minusLogSeen, within, type Seen } from '../objective/observation.ts';
import { counted, sampledTerm } from '../objective/sampled.ts';
import { countObserved, sumAll, whereObserved } from '../objective/sums.ts';
import type { Again, SampledTerm } from '../objective/term.ts';
import { argumentOutput, argumentValue, argumentWires } from './parts/arguments.ts';
import { censoredSchema, checkSeen, seenValues, seenWires, truncatedSchema } from './parts/censored.ts';
import { asReal, wantNumber } from './parts/convert.ts';
import { blockKind, type InferContext, type LowerContext, type Output, type Sizes } from './kind.ts';
import { disagreement } from './parts/disagreement.ts';
import { knownValues } from './parts/known.ts';
import { checkObserved, checkRange, checkTrials, compareUnits } from './parts/observed.ts';
import { broadcastSizes, printOutput } from './parts/sizes.ts';

const argument = v.exactOptional(refOrNumber);
const argumentFields = Object.fromEntries(familyArguments.map((key) => [key, argument])) as {
  readonly [K in FamilyArgument]: typeof argument;
};

const schema = strict({
  kind: v.literal('likelihood'),
  ...common,
  family: oneOf(familyNames),
  observed: ref,
  ...argumentFields,
  censored: v.exactOptional(censoredSchema),
  truncated: v.exactOptional(truncatedSchema),
});

export type LikelihoodBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly sizes: Sizes;
  readonly seen: Seen;
  /** Of the arguments that are computed, where they must lie. */
  readonly ranges: Readonly<Record<string, Range>>;
}

/** What a checked block knows of observations that were not seen as they are. */
export const seenOf = (detail: unknown): Seen => (detail as Detail).seen;

/** The arguments that the block writes: the family's own, or its other spelling where that is what is written. */
export function argumentsOf(block: LikelihoodBlock): { readonly arguments: Arguments; readonly spelling?: Spelling } {
  const { spelling }: Family = families[block.family];
  const written = spelledArguments(block.family, (key) => isGiven(block, key));
  return { arguments: written.arguments, ...(written.spelled && spelling && { spelling }) };
}

const isGiven = (block: LikelihoodBlock, key: string): boolean => block[key as FamilyArgument] !== undefined;

export const likelihood = blockKind<LikelihoodBlock, Detail>({
  kind: 'likelihood',
  schema,
  wires: (block) => [
    { port: 'observed', ref: block.observed },
    ...argumentWires(block, familyArguments),
    ...seenWires(block),
  ],

  infer(block, context) {
    const family: Family = families[block.family];
    const { arguments: wanted } = argumentsOf(block);
    if (!argumentsFit(block, family, context)) return undefined;
    const names = ['observed', ...Object.keys(wanted)];
    const inputs = names.map((name) => wantNumber(context, name, argumentOutput(block, context, name)));
    const known = inputs.filter((input) => input !== undefined);
    const observed = known[0];
    if (known.length < names.length || !observed) return undefined;
    const each = family.shared ? known.slice(0, -1) : known;
    const sizes = broadcastSizes(each.map((input) => input.sizes));
    if (!sizes) return context.fail(...disagreement(names.slice(0, each.length), each));
    if (family.shared && !checkClasses(context, observed, known.at(-1)!)) return undefined;
    if (!checkObserved(context, observed, family.observed, block.censored !== undefined)) return undefined;
    for (const [i, range] of Object.values(wanted).entries())
      if (!checkRange(context, names[i + 1]!, known[i + 1]!, range)) return undefined;
    if (block.family === 'binomial' && !checkTrials(context, observed, known[2]!)) return undefined;
    if (known[1] && names[1] === 'mean' && block.family !== 'log-normal') compareUnits(context, known[1], observed);
    const seen = checkSeen(block, context, family, observed, sizes);
    if (!seen) return undefined;
    const ranges = Object.entries(wanted).filter((_, i) => known[i + 1]?.computed === true);
    const computed = known.some((input) => input.computed);
    const detail = { sizes, seen, ranges: Object.fromEntries(ranges) };
    return { outputs: [{ name: '', element: 'real', sizes: [], computed }], detail };
  },

  lower: (block, detail, context) => [minusLog(block, detail, context)],

  objective: (block, detail, context) => ({
    kind: 'likelihood',
    rows: rows(detail, context),
    minusLog: minusLog(block, detail, context),
    sampled: () =>
      sampledTerm(context.builder, context.shape(detail.sizes), {
        observed: asReal(context.builder, context.input('observed')),
        arguments: [...drawnArguments(block, context), ...drawnLimits(block, detail, context)],
        ...drawOf(block, detail),
        ...whatIsKnown(block, detail, context),
        minusLog: (again) => minusLog(block, detail, context, again),
      }),
  }),
});

/** Of what is seen whole: what is known of it beside its density. */
function whatIsKnown(
  block: LikelihoodBlock,
  { sizes, seen }: Detail,
  context: LowerContext,
): Pick<SampledTerm, 'information' | 'noise'> {
  const { information, noise, arguments: own }: Family = families[block.family];
  if (!information || Object.keys(seen).length > 0) return {};
  const at = noise === undefined ? -1 : Object.keys(own).indexOf(noise);
  const b = context.builder;
  return {
    information: (again) => {
      const args = drawnArguments(block, context).map((value, i) => (i === at && again?.noise) || value);
      const observed = asReal(b, context.input('observed'));
      return information.map(({ by, write }) => ({
        by,
        value: whereObserved(b, observed, args, context.shape(sizes), (builder, _, ...given) =>
          write(expression(builder), ...given),
        ),
      }));
    },
    ...(at >= 0 && { noise: at }),
  };
}

function drawOf({ family }: LikelihoodBlock, { seen }: Detail): Pick<SampledTerm, 'draw'> {
  const { draw, drawWithin }: Family = families[family];
  if (!isDrawn(seen)) return {};
  if (!isTruncated(seen)) return draw ? { draw } : {};
  if (!drawWithin) return {};
  // The limits come after the arguments.
  return { draw: (random, ...args) => drawWithin(random, args.at(-2)!, args.at(-1)!, ...args.slice(0, -2)) };
}

const isTruncated = ({ lower, upper }: Seen): boolean => lower !== undefined || upper !== undefined;

/** What could be seen of each observation, from where to where; nothing where that is all. */
function drawnLimits(block: LikelihoodBlock, { seen }: Detail, context: LowerContext): Value[] {
  if (!isTruncated(seen)) return [];
  const given = seenValues(block, seen, context);
  const b = context.builder;
  return [given.get('lower') ?? b.literal(-Infinity), given.get('upper') ?? b.literal(Infinity)];
}

/** Marks and intervals are of the rows as they were observed: of others nobody knows them. */
const isDrawn = (seen: Seen): boolean => seen.left !== 'mark' && seen.right !== 'mark' && seen.interval === undefined;

function argumentsFit(block: LikelihoodBlock, family: Family, context: InferContext): boolean {
  const list = (args: Arguments): string =>
    Object.keys(args)
      .map((name) => `"${name}"`)
      .join(' and ');
  const other = family.spelling ? `, or ${list(family.spelling.arguments)}` : '';
  const takes = `the family ${block.family} takes ${list(family.arguments)}${other}`;
  const { arguments: wanted } = argumentsOf(block);
  const extra = familyArguments.find((key) => isGiven(block, key) && !Object.hasOwn(wanted, key));
  if (extra !== undefined) {
    const fix = didYouMean(extra, Object.keys(wanted));
    context.fail(`${takes}, got "${extra}"`, { port: extra, ...(fix && { fix }) });
    return false;
  }
  const missing = Object.keys(wanted).find((key) => !isGiven(block, key));
  if (missing !== undefined) context.fail(`${takes}, and "${missing}" is missing`, { port: missing });
  return missing === undefined;
}

/** Of a list of K − 1 thresholds, whether classes are 0 to K − 1. */
function checkClasses(context: InferContext, observed: Output, list: Output): boolean {
  if (list.sizes.length !== 1) {
    const got = printOutput(list);
    context.fail(`"thresholds" wants a list of numbers, got ${got}`, { port: 'thresholds', wanted: 'real [n]', got });
    return false;
  }
  const largest = list.sizes[0]?.value ?? 0;
  const classes = Array.from(knownValues(context, 'observed', observed) ?? []);
  const row = classes.findIndex((y) => y > largest);
  if (row < 0) return true;
  const y = String(classes[row]);
  context.fail(`element ${row} of "observed" is ${y}, and ${largest} thresholds part the classes 0 to ${largest}`, {
    port: 'observed',
    wanted: `0 to ${largest}`,
    got: y,
  });
  return false;
}

function rows({ sizes }: Detail, context: LowerContext): Value {
  const b = context.builder;
  return countObserved(b, asReal(b, context.input('observed')), context.shape(sizes));
}

/** As the block writes them. */
function writtenArguments(block: LikelihoodBlock, context: LowerContext): Value[] {
  const { arguments: wanted } = argumentsOf(block);
  return Object.keys(wanted).map((name) => asReal(context.builder, argumentValue(block, context, name)));
}

/** As the family draws by them: its own arguments, a shared list element by element. */
function drawnArguments(block: LikelihoodBlock, context: LowerContext): Value[] {
  const b = context.builder;
  const written = writtenArguments(block, context);
  const { spelling } = argumentsOf(block);
  const { shared }: Family = families[block.family];
  if (spelling) {
    const own = scalarFunction(
      written.map(() => 'real' as const),
      (s, ...x) => spelling.write(expression(s), ...x),
    );
    return b.map(own, written);
  }
  const list = shared && written.at(-1);
  if (!list) return written;
  const count = context.output('thresholds').sizes[0]?.value ?? 0;
  const elements = Array.from({ length: count }, (_, k) => b.reshape(b.slice(list, 0, k, 1), []));
  return [...written.slice(0, -1), ...elements];
}

function minusLog(
  block: LikelihoodBlock,
  { sizes, seen, ranges }: Detail,
  context: LowerContext,
  again: Again = {},
): Value {
  const b = context.builder;
  const family: Family = families[block.family];
  const { arguments: wanted, spelling } = argumentsOf(block);
  const observed = again.observed ?? asReal(b, context.input('observed'));
  const noise = family.noise === undefined ? -1 : Object.keys(wanted).indexOf(family.noise);
  const written = writtenArguments(block, context).map((value, i) => (i === noise && again.noise) || value);
  const list = family.shared && written.at(-1);
  const each = list ? written.slice(0, -1) : written;
  const taken = list && family.shared ? family.shared.of(b, observed, list) : [];
  const beside = seenValues(block, seen, context);
  const names = Object.keys(wanted).slice(0, each.length);
  const probability = family.logOdds && each[names.indexOf(family.logOdds.of)];
  const odds = probability && logOddsOf(b, probability);
  const terms = whereObserved(
    b,
    observed,
    [...each, ...taken, ...beside.values(), ...(odds ? [odds] : [])],
    context.shape(sizes),
    (builder, y, ...given: ScalarOperand[]) => {
      const s = expression(builder);
      const args = given.slice(0, each.length + taken.length);
      const told = Object.fromEntries([...beside.keys()].map((key, i) => [key, given[args.length + i]]));
      const limits = names.flatMap((name, i) => {
        const range = ranges[name];
        return range === undefined ? [] : [[range, args[i]!] as const];
      });
      const exact = (): ScalarOperand =>
        minusLogSeen(s, family, seen, told, y, spelling ? spelling.write(s, ...args) : args);
      return within(s, limits, () => {
        const z = odds && given.at(-1);
        if (!z || !family.logOdds) return exact();
        const { from, minusLog } = family.logOdds;
        const near = s.apply('lt', s.apply('abs', z), realLiteral(from));
        return s.choose(near, exact, () => minusLog(s, y, z, ...args));
      });
    },
  );
  return sumAll(b, counted(b, terms, again));
}

/**
 * The adjoint of a keyed scan, and so of a histogram. Each element maps what stands in its bin, l ↦ l ⊙ v; on adjoints of
 * the bin's contents that is an affine map, x ↦ l̄ + C·x with C = (∂(l ⊙ v)/∂l)ᵀ. The maps of a bin's later elements
 * are composed by a keyed scan the other way round that begins with the adjoint of the contents at the end:
 *
 *     s̄ᵢ = what the maps after i make of the bin's adjoint      a keyed scan with lin_o (paper, figure "scan-gen")
 *     v̄ᵢ = ∂(lᵢ ⊙ vᵢ)/∂vᵢ · s̄ᵢ                                a map
 *
 * What stands in the bins when it is done is the adjoint of what they began with. No element asks for its neighbour in
 * its bin, so nothing is sorted; and where elements come one after the other, only s̄ is carried, for nobody reads C.
 */
import type { ProgramBuilder } from '../../../0-ir/builder.ts';
import { arity, combine, componentTypes, type Operator } from '../../../0-ir/operators.ts';
import type { KeyedScanConstruct, Value } from '../../../0-ir/program.ts';
import type { ScalarFunction, ScalarOperand } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { sumTo, trailingOnes } from '../../layout.ts';
import type { Cost } from '../../cost.ts';
import { workOf } from '../../../1-optimize/work.ts';
import type { Derivative } from '../../rule.ts';
import { vjpFunction } from '../../scalar/vjp-function.ts';
import { realComponents, transposedJacobian, type Structure } from '../../structure.ts';
import { classesFunction } from './jacobian-recurrence.ts';
import { keysInRange } from './keys-in-range.ts';
import { linearComposition } from './linear-composition.ts';
import { elementFunction, reachedComponents } from './scan-adjoint.ts';

/** An exclusive keyed scan, either way. */
export type ExclusiveScan = Omit<KeyedScanConstruct, 'kind' | 'exclusive' | 'prologue'>;

export function exclusiveScan(b: ProgramBuilder, scan: ExclusiveScan): { running: Value[]; totals: Value[] } {
  const { operator, keys, inputs, bins, batch, shape, reverse, initial } = scan;
  return b.keyedScan(operator, keys, inputs, bins, { batch, shape, exclusive: true, reverse, initial });
}

/** Numbers in the bins of a table that is near to threads that share it. */
const nearTable = 4096;

/** Where many threads run, and a table is larger than that or of who knows how many bins, every element waits for its entry. */
export function keyedScanChain({ operator, bins }: Pick<KeyedScanConstruct, 'operator' | 'bins'>): number {
  return typeof bins === 'number' && bins * arity(operator) <= nearTable ? 0 : 2;
}

/** Of both scans and the map, with so much of the Jacobian composed. */
export function keyedAdjointCost(scan: Pick<KeyedScanConstruct, 'operator' | 'bins'>, structure: Structure): Cost {
  const { operator } = scan;
  return {
    traffic: 5 * arity(operator) + 2,
    operations: 3 * workOf(operator.combine) + workOf(transposedJacobian(operator)) + 2 * structure.d ** 2 + 8,
    passes: 2,
    chain: keyedScanChain(scan),
  };
}

/** Adjoints of keys (none), inputs and initial contents, as operands come. `prefixes`: the running values. */
export function exclusiveCotangents(
  b: ProgramBuilder,
  scan: ExclusiveScan,
  structure: Structure,
  prefixes: readonly Value[],
  cotangents: { readonly running: readonly Derivative[]; readonly totals: readonly Derivative[] },
): Derivative[] {
  const { operator, keys, inputs, initial, bins, batch, shape } = scan;
  const real = realComponents(operator);
  const begins = b.apply('not', hasBefore(b, scan));
  const zero = b.literal(0);

  const linear = linearComposition(structure);
  const classes = b.map(classesFunction(operator, structure), [begins, ...prefixes, ...inputs], shape);
  const elements = [...real.map((i) => cotangents.running[i] ?? zero), ...classes];
  const identity = linear.neutral.slice(structure.d).map((value) => b.literal(value));
  const { running, totals } = b.keyedScan(linear, keys, elements, bins, {
    batch,
    shape,
    exclusive: true,
    reverse: !scan.reverse,
    initial: [...real.map((i) => cotangents.totals[i] ?? zero), ...identity],
  });

  const seeded = operator.neutral.map((_, i) => Boolean(cotangents.running[i] ?? cotangents.totals[i]));
  const reached = reachedComponents(operator, seeded);
  const adjoints = b.map(
    elementFunction(operator, reached),
    [begins, ...prefixes, ...inputs, ...running.slice(0, structure.d)],
    shape,
  );
  const ownShape = (adjoint: Value | undefined, { type }: Value): Derivative =>
    adjoint && sumTo(b, adjoint, type.shape);
  return [
    undefined,
    ...inputs.map((input, i) => ownShape(adjoints[real.indexOf(i)], input)),
    ...(initial ?? []).map((value, i) => (real.includes(i) ? ownShape(totals[real.indexOf(i)], value) : undefined)),
  ];
}

/** An inclusive one is what an exclusive one gives, combined with the elements. */
export function keyedScanCotangents(
  b: ProgramBuilder,
  scan: KeyedScanConstruct,
  structure: Structure,
  results: readonly Value[],
  cotangents: readonly Derivative[],
): Derivative[] {
  const { operator, inputs, shape } = scan;
  const d = arity(operator);
  const [running, totals] = [cotangents.slice(0, d), cotangents.slice(d)];
  if (scan.exclusive) return exclusiveCotangents(b, scan, structure, results.slice(0, d), { running, totals });

  const types = componentTypes(operator);
  const real = types.map((type) => type === 'real');
  const prefixes = exclusiveScan(b, scan).running;
  const inRange = trailingOnes(b, keysInRange(b, scan.keys, scan.bins), shape.length);
  const pull = vjpFunction(
    inclusiveFunction(operator),
    running.map((cotangent) => cotangent !== undefined),
    [false, false, ...real, ...real],
  );
  const seeds = running.filter((cotangent) => cotangent !== undefined);
  const pulled =
    seeds.length > 0 ? b.map(pull, [inRange, hasBefore(b, scan), ...prefixes, ...inputs, ...seeds], shape) : [];
  let next = 0;
  const take = (): Derivative[] => real.map((isReal) => (isReal ? pulled[next++] : undefined));
  const [onPrefixes, onInputs] = [take(), take()];
  const flowing = exclusiveCotangents(b, scan, structure, prefixes, { running: onPrefixes, totals });
  // Operands: keys, the inputs, the initial contents.
  return flowing.map((adjoint, operand) => {
    const direct = onInputs[operand - 1];
    const own = direct && sumTo(b, direct, inputs[operand - 1]!.type.shape);
    return adjoint && own ? b.apply('add', adjoint, own) : (adjoint ?? own);
  });
}

/** (inRange, hasBefore, l…, v…) ↦ what an inclusive one shows. */
function inclusiveFunction(operator: Operator): ScalarFunction {
  const types = componentTypes(operator);
  return scalarFunction(['bool', 'bool', ...types, ...types], (s, inRange, hasLeft, ...operands) => {
    const element = operands.slice(types.length);
    const neutral = operator.neutral.map((value, i): ScalarOperand => ({
      kind: 'literal',
      type: types[i]!,
      value,
    }));
    const joined = (): ScalarOperand[] =>
      s.branch(
        hasLeft,
        () => combine(s, operator, operands.slice(0, types.length), element),
        () => element,
      );
    return s.branch(inRange, joined, () => neutral);
  });
}

/** Whether something stands in the bin when an element comes to it; over the keys, with the literal 1 for trailing axes. */
export function hasBefore(
  b: ProgramBuilder,
  scan: Pick<ExclusiveScan, 'keys' | 'bins' | 'batch' | 'shape' | 'reverse' | 'initial'>,
): Value {
  const { keys, bins, shape, initial } = scan;
  const over = initial ? keysInRange(b, keys, bins) : met(b, scan).before;
  return trailingOnes(b, over, shape.length);
}

/** Whether there is an element before an element in its bin (no matter whether the bin began with something), and in a bin at all. */
export function met(
  b: ProgramBuilder,
  { keys, bins, batch, reverse }: Pick<ExclusiveScan, 'keys' | 'bins' | 'batch' | 'reverse'>,
): { before: Value; atAll: Value } {
  const options = { batch, shape: keys.type.shape, exclusive: true, reverse };
  const { running, totals } = b.keyedScan(anyOf, keys, [b.literal(1, 'bool')], bins, options);
  return { before: running[0]!, atAll: totals[0]! };
}

const anyOf: Operator = {
  combine: scalarFunction(['bool', 'bool'], (s, x, y) => [s.apply('or', x, y)]),
  neutral: [0],
  commutative: true,
};

/**
 * (cₜ, oₜ, rowₜ) = step(cₜ₋₁, uₜ, rows at pₜ, v)  ⇒  (c̄ₜ₋₁, ūₜ, v̄ₜ, left) = VJP^LAM step (…; c̄ₜ, ōₜ, the adjoint of rowₜ),
 * a history the other way round, whose rows are the adjoints of rows: what was read from a row is left for it. Going
 * backward by itself, it is read where it was left.
 */
import type { HistoryConstruct, Value } from '../../0-ir/program.ts';
import { placesOf } from '../../0-ir/infer.ts';
import type { ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { workOf } from '../../1-optimize/work.ts';
import { isReal } from '../activity.ts';
import { sumTo, zerosLike } from '../layout.ts';
import type { VjpRule } from '../rule.ts';
import { vjpFunction } from '../scalar/vjp-function.ts';
import { widthBeside } from './recurrence.ts';

export const history: VjpRule<'history'> = {
  name: 'history',
  construct: 'history',
  example: `program (%0 c: real, %1 us: real[n], %2 k: real) {
  %3: real, %4: real[n], %5: real[n], %6: real[n], %7: int[n] = history[n] along 0 columns 2
    (x0: real, x1: real, x2: real, x3: real, x4: real) { x5 = x0 + 1.0; x6 = x3 * x4; x7 = x6 + x1; yield x5, x7, x0, x7 }
    asked (x0: real, x1: real, x2: real) { x3 = x0 - 1.5; yield x3 }
    initial (%0) inputs (%1) places () invariants (%2)
  yield ys = %4
}`,
  matches: () => true,
  cost: ({ step, initial, inputs, columns, shape, axis }) => ({
    traffic: 3 * initial.length + 4 * inputs.length + 6 * columns,
    operations: 4 * workOf(step),
    passes: 2,
    chain: (4 * workOf(step)) / widthBeside(shape, axis),
  }),
  // The primal also emits the carries that each step began with and what it read; results keep their order.
  primal(b, construct) {
    const { initial, columns } = construct;
    const [read, written] = widthsOf(construct);
    const all = b.emit({ ...construct, step: keeping(construct, read, written) });
    const firstRow = all.length - columns - (construct.asked ? placesOf(construct) : 0);
    const firstKept = firstRow - initial.length - read;
    return {
      results: [...all.slice(0, firstKept), ...all.slice(firstRow)],
      saved: all.slice(firstKept, firstRow),
    };
  },
  // Operands: initial, inputs, places, invariants.
  cotangents(b, construct, { results, saved = [] }, cotangents) {
    const { initial, inputs, places, invariants, shape, axis, backward, columns, asked } = construct;
    const carries = initial.length;
    const count = placesOf(construct);
    const firstRow = results.length - columns - (asked ? count : 0);
    const real = { carries: isReal(initial), inputs: isReal(inputs), invariants: isReal(invariants) };
    const seeded = results
      .slice(0, firstRow)
      .map((result, i) => result.type.element === 'real' && (i < carries || cotangents[i] !== undefined));
    const rowSeeds = cotangents.slice(firstRow, firstRow + columns);
    const lambdas = initial.flatMap((_, i) => (real.carries[i] ? [cotangents[i] ?? zerosLike(b, results[i]!)] : []));
    const totals = invariants.filter((_, i) => real.invariants[i]).map(() => b.literal(0));
    const seeds = [...cotangents.slice(carries, firstRow), ...rowSeeds].filter((cotangent) => cotangent !== undefined);
    const found = b.emit({
      kind: 'history',
      backward: !backward,
      step: pulledStep(
        construct,
        seeded,
        rowSeeds.map((seed) => seed !== undefined),
        real,
      ),
      columns,
      shape,
      axis,
      initial: [...lambdas, ...totals],
      inputs: [...saved, ...inputs, ...seeds],
      places: asked ? results.slice(firstRow + columns) : places,
      invariants,
    });
    let next = 0;
    const take = (values: readonly Value[], flags: readonly boolean[]): (Value | undefined)[] =>
      values.map((value, i) => (flags[i] ? sumTo(b, found[next++]!, value.type.shape) : undefined));
    const initialAdjoints = take(initial, real.carries);
    const invariantAdjoints = take(invariants, real.invariants);
    const inputAdjoints = take(inputs, real.inputs);
    return [...initialAdjoints, ...inputAdjoints, ...places.map(() => undefined), ...invariantAdjoints];
  },
};

/** How many reals a step reads from rows, and how many it writes there. */
function widthsOf(construct: HistoryConstruct): [read: number, written: number] {
  const { columns, backward } = construct;
  const all = placesOf(construct) * columns;
  return backward ? [columns, all] : [all, columns];
}

/** step with its incoming carries and what it reads as further outputs. */
function keeping({ step, initial, inputs }: HistoryConstruct, read: number, written: number): ScalarFunction {
  const firstRead = initial.length + inputs.length;
  return scalarFunction(
    step.parameters.map(({ type }) => type),
    (s, ...operands) => {
      const results = s.inline(step, operands);
      return [
        ...results.slice(0, results.length - written),
        ...operands.slice(0, initial.length),
        ...operands.slice(firstRead, firstRead + read),
        ...results.slice(results.length - written),
      ];
    },
  );
}

interface Differentiated {
  readonly carries: readonly boolean[];
  readonly inputs: readonly boolean[];
  readonly invariants: readonly boolean[];
}

/**
 * Carries: c̄ (real ones), running totals of v̄. Inputs: c, what was read, u, the adjoints of seeded outputs and rows.
 * Reads: what is left for this row; of a backward history what stands where it left something. Outputs: ū.
 */
function pulledStep(
  construct: HistoryConstruct,
  seeded: readonly boolean[],
  rowSeeds: readonly boolean[],
  real: Differentiated,
): ScalarFunction {
  const { step, initial, inputs, columns, backward } = construct;
  const [read, written] = widthsOf(construct);
  const types = step.parameters.map(({ type }) => type);
  const firstRead = initial.length + inputs.length;
  const count = (flags: readonly boolean[]): number => flags.filter(Boolean).length;
  const [lambdas, totals] = [count(real.carries), count(real.invariants)];
  const pull = vjpFunction(
    step,
    [...seeded, ...new Array<boolean>(written).fill(true)],
    [...real.carries, ...real.inputs, ...new Array<boolean>(read).fill(true), ...real.invariants],
  );
  const reals = (n: number): 'real'[] => new Array<'real'>(n).fill('real');
  const groups = [
    reals(lambdas),
    reals(totals),
    types.slice(0, initial.length),
    reals(read),
    types.slice(initial.length, firstRead),
    reals(count(seeded.slice(initial.length))),
    reals(count(rowSeeds)),
    reals(written),
    types.slice(firstRead + read),
  ];
  return scalarFunction(groups.flat(), (s, ...operands) => {
    let at = 0;
    const [lambda = [], total = [], c = [], reads = [], u = [], outputs = [], rows = [], left = [], v = []] =
      groups.map((group) => operands.slice(at, (at += group.length)));
    /** Where rows are seeded themselves: the row's own is added to what else there is of it. */
    const seededBy = (values: readonly ScalarOperand[]): ScalarOperand[] => {
      const own = [...rows];
      return values.map((value, i) =>
        i < columns && rowSeeds[i] ? s.apply('add', value, own.shift() as ScalarOperand) : value,
      );
    };
    const adjoints = s.inline(pull, [
      ...c,
      ...u,
      ...reads,
      ...v,
      ...lambda,
      ...outputs,
      ...(backward ? left : seededBy(left)),
    ]);
    const take = (n: number): ScalarOperand[] => adjoints.splice(0, n);
    const [carried, ofInputs, ofReads] = [take(lambdas), take(count(real.inputs)), take(read)];
    const added = total.map((sum, i) => s.apply('add', sum, adjoints[i]!));
    return [...carried, ...added, ...ofInputs, ...(backward ? seededBy(ofReads) : ofReads)];
  });
}

/** How each construct that has rules is drawn for the sweep: its shapes, axes, directions, and what else it can be. */
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator, type Operator } from '../../../engine/0-ir/operators.ts';
import type { Construct, ConstructKind, HistogramConstruct, Program, Value } from '../../../engine/0-ir/program.ts';
import { realLiteral, type ScalarFunction, type ScalarOperand } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import type { Size } from '../../../engine/0-ir/sizes.ts';
import { arrayType, type Shape } from '../../../engine/0-ir/types.ts';
import { smoothFunction } from '../random/functions.ts';
import type { CaseWriter } from './case.ts';

/** Those that are differentiated; the others carry no derivative or are inlined before. */
export type SweptKind = Exclude<ConstructKind, 'literal' | 'iota' | 'sort-permutation' | 'call'>;

export const sweptConstructs: { readonly [K in SweptKind]: (w: CaseWriter) => Value[] } = {
  map(w) {
    const { shape } = w.domain();
    const inputs = w.c.list(1 + w.c.below(3), (i) => w.real(`x${i}`, w.within(shape)));
    const fn = smoothFunction(w.c, inputs.length, 1 + w.c.below(2));
    return w.swept((b) => b.emit({ kind: 'map', function: fn, shape, inputs }));
  },

  reduce: (w) => {
    const { shape, axis } = w.domain();
    const operator = w.operator((each) => applies(w, { kind: 'reduce', operator: each, shape, axis, inputs: [] }));
    const inputs = w.elements('x', operator, () => w.within(shape));
    return w.swept((b) => b.emit({ kind: 'reduce', operator: operator.operator, shape, axis, inputs }));
  },

  scan(w) {
    const { inputs, ...parts } = scanParts(w);
    return w.swept((b) => b.emit({ kind: 'scan', ...parts, inputs: inputs(parts.shape) }));
  },

  'segmented-scan'(w) {
    const { inputs, ...parts } = scanParts(w);
    const flags = w.bool('flags', w.within(parts.shape, [parts.axis]));
    return w.swept((b) => b.emit({ kind: 'segmented-scan', ...parts, flags, inputs: inputs(parts.shape) }));
  },

  histogram(w) {
    const parts = binnedParts(w, (binned) => ({ kind: 'histogram', ...binned }));
    return w.swept((b) => b.emit({ kind: 'histogram', ...parts }));
  },

  'keyed-scan'(w) {
    const direction = { exclusive: w.flag('exclusive'), reverse: w.flag('from the end') };
    const parts = binnedParts(w, (binned) => ({ kind: 'keyed-scan', ...binned, ...direction }));
    return w.swept((b) => b.emit({ kind: 'keyed-scan', ...parts, ...direction }));
  },

  recurrence(w) {
    const { shape, axis } = w.domain();
    const across = shape.filter((_, other) => other !== axis);
    const reverse = w.flag('from the end');
    const small: [number, number] = [-0.6, 0.6];
    const initial = w.c.list(1 + w.c.below(2), (i) => w.real(`c${i}`, w.within(across), small));
    const inputs = w.c.list(1 + w.c.below(2), (i) => w.real(`u${i}`, w.within(shape), small));
    const invariants = w.c.list(w.c.below(3), (i) => w.real(`v${i}`, w.within(across), small));
    const others = inputs.length + invariants.length;
    const outputs = w.c.below(2);
    const step =
      w.rule.name === 'recurrence-affine'
        ? affineStep(w, initial.length, others, outputs)
        : smoothFunction(w.c, initial.length + others, initial.length + outputs);
    return w.swept((b) => b.emit({ kind: 'recurrence', step, shape, axis, reverse, initial, inputs, invariants }));
  },

  // Rows begin with the number of their step, and are looked for two and a half steps and half of all steps before.
  history(w) {
    const { shape, axis } = w.domain();
    const across = shape.filter((_, other) => other !== axis);
    const small: [number, number] = [-0.6, 0.6];
    const asks = w.flag('asked for');
    const backward = !asks && w.flag('from the end');
    const columns = 2;
    const [read, written] = backward ? [columns, 2 * columns] : [2 * columns, columns];
    const carry = w.real('c', w.within(across), small);
    const inputs = w.c.list(1 + w.c.below(2), (i) => w.real(`u${i}`, w.within(shape), small));
    const invariants = w.c.list(w.c.below(2), (i) => w.real(`v${i}`, w.within(across), small));
    const outputs = w.c.below(2);
    const inner = smoothFunction(w.c, 1 + inputs.length + read + invariants.length, 1 + outputs + written);
    const types = (count: number): 'real'[] => new Array<'real'>(count).fill('real');
    const step = scalarFunction(types(2 + inputs.length + read + invariants.length), (s, number, ...operands) => {
      const results = s.inline(inner, operands).map((each) => s.apply('mul', each, realLiteral(0.4)));
      const own = results.slice(results.length - written);
      if (asks) own[0] = number!;
      return [s.apply('add', number, realLiteral(1)), ...results.slice(0, -written), ...own];
    });
    const asked = scalarFunction(types(2 + inputs.length + invariants.length), (s, number) => [
      s.apply('sub', number, realLiteral(2.5)),
      s.apply('mul', number, realLiteral(0.5)),
    ]);
    return w.swept((b) => {
      const steps = b.reshape(b.iota(shape[axis]!), [shape[axis]!, ...shape.slice(axis + 1).map(() => 1)]);
      const before = (by: number): Value =>
        b.elementwise([steps], (s, t) => s.apply('sub', t, { kind: 'literal', type: 'int', value: by }));
      const all = b.emit({
        kind: 'history',
        ...{ backward, step, columns, shape, axis, inputs, invariants },
        initial: [b.literal(0), carry],
        ...(asks ? { asked, places: [] } : { places: [before(1), before(3)] }),
      });
      return all.filter(({ type }) => type.element === 'real');
    });
  },

  // 3·yᵢ + sin(yᵢ₊₁ + fᵢ(x)) + fᵢ(x)·yᵢ with |f| ≤ π/2: one root.
  solve(w) {
    // What has no axis to act along needs no long one: every element is a search.
    const shape = w.c.pick<Shape>([['m'], ['m', 2], [2, 'm'], []]);
    const small: [number, number] = [-0.6, 0.6];
    const unknowns = 1 + w.c.below(2);
    const given = w.c.list(1 + w.c.below(3), (i) => w.real(`x${i}`, w.within(shape), small));
    const inner = smoothFunction(w.c, given.length, unknowns);
    const types = Array.from({ length: unknowns + given.length }, () => 'real' as const);
    const residual = scalarFunction(types, (s, ...operands) =>
      s.inline(inner, operands.slice(unknowns)).map((f, i) => {
        const turned = s.apply('sin', s.apply('add', operands[(i + 1) % unknowns]!, f));
        const own = s.apply('mul', s.apply('add', f, realLiteral(3)), operands[i]!);
        return s.apply('add', own, turned);
      }),
    );
    return w.swept((b) => {
      const initial = Array.from({ length: unknowns }, () => b.literal(0.3));
      const all = b.emit({ kind: 'solve', residual, shape, initial, given, iterations: 16, linear: false });
      return all.slice(0, unknowns);
    });
  },

  loop(w) {
    const initial = [w.real('c', ['m', 2], [-0.6, 0.6]), w.real('d', [], [-0.6, 0.6]), w.int('k', [])];
    const invariants = [w.real('v', ['m', 1], [-0.6, 0.6]), w.real('w', [2, 2], [-0.3, 0.3])];
    const body = w.flag('in a loop') ? loopedBody() : loopBody();
    const count = w.c.pick<Size>(['n', 0, 1, 3]);
    return w.swept((b) => b.emit({ kind: 'loop', count, body, initial, invariants }));
  },

  gather(w) {
    const batch = w.c.pick<Shape>([[], ['m'], [2, 'm']]);
    const trailing = w.c.pick<Shape>([[], [2]]);
    const from = w.real('from', [...w.within(batch), w.size('n', 3), ...trailing]);
    const indices = w.int('indices', [...w.within(batch), ...w.c.pick<Shape>([['n'], [], ['n', 2]])]);
    return w.swept((b) => [b.gather(from, indices, 'zero', batch.length)]);
  },

  scatter(w) {
    const batch = w.c.pick<Shape>([[], ['m']]);
    const trailing = w.c.pick<Shape>([[], [2]]);
    const into = w.real('into', [...batch, 'n', ...trailing]);
    const values = w.real('values', [...batch, 'n', ...trailing]);
    // All different, and one in four beyond the last row.
    const order = w.b.sortPermutation(w.int('keys', [...batch, 'n']));
    const indices = w.flag('beyond the rows') ? w.b.apply('add', order, w.b.literal(1, 'int')) : order;
    return w.swept((b) => [b.scatter(into, indices, values, { batch: batch.length })]);
  },

  replicate(w) {
    const { shape } = w.domain();
    const narrow = shape.map((size) => (w.c.flip() ? 1 : size));
    const value = w.real('x', w.c.flip() ? narrow.with(0, 1) : narrow.slice(1));
    return w.swept((b) => [b.replicate(value, shape)]);
  },

  reverse(w) {
    const { shape, axis } = w.domain();
    const value = w.real('x', shape);
    return w.swept((b) => [b.reverse(value, axis)]);
  },

  transpose(w) {
    const permutation = w.c.pick([
      [1, 0],
      [2, 0, 1],
      [1, 2, 0],
      [0, 2, 1],
      [2, 1, 0],
    ]);
    const value = w.real('x', ['m', 'n', 2].slice(0, permutation.length));
    return w.swept((b) => [b.transpose(value, permutation)]);
  },

  reshape(w) {
    const value = w.real('x', ['m', 'n', 2]);
    const shape = w.c.pick<Shape>([['2*m*n'], ['m', '2*n'], [1, 'm*n', 2], [2, 'n', 'm']]);
    return w.swept((b) => [b.reshape(value, shape)]);
  },

  slice(w) {
    const { shape, axis } = w.domain();
    const value = w.b.concatenate([w.real('x', shape), w.real('tail', shape.with(axis, 3))], axis);
    const length = shape[axis]!;
    const [start, count, step] = w.c.pick<readonly [Size, Size, number]>([
      [1, `${length} + 1`, 1],
      [1, `ceil((${length} + 2)/2)`, 2],
      [`${length} + 2`, `${length} + 1`, -1],
      [2, 0, 1],
    ]);
    w.say(`step ${step}`);
    return w.swept((b) => [b.slice(value, axis, start, count, step)]);
  },

  concatenate(w) {
    const { shape, axis } = w.domain();
    const values = w.c.list(1 + w.c.below(3), (i) =>
      w.real(`x${i}`, shape.with(axis, w.c.pick<Size>([shape[axis]!, 2, 1]))),
    );
    return w.swept((b) => [b.concatenate(values, axis)]);
  },

  matmul(w) {
    const batch = w.c.pick<Shape>([[], ['m'], [2, 'm']]);
    const [rows, columns] = [w.size('m', 2), w.size('m', 3)];
    const left = w.real('l', [...w.within(batch), rows, 'n']);
    const right = w.real('r', [...w.within(batch), 'n', columns]);
    return w.swept((b) => [b.matmul(left, right)]);
  },
};

/** Whether the rule in question matches a construct, which it judges by its operator. */
function applies(w: CaseWriter, construct: Construct): boolean {
  return w.rule.matches(construct);
}

type Binned = Omit<HistogramConstruct, 'kind'>;

/** Elements by keys into bins, with initial contents or none. */
function binnedParts(w: CaseWriter, construct: (binned: Binned) => Construct): Binned {
  const { shape, axis: batch } = w.domain();
  const bins = w.size('bins', 3);
  const keys = w.int('keys', w.within(shape.slice(0, batch + 1), [batch]));
  const parts = { shape, batch, bins, keys };
  const operator = w.operator((each) => applies(w, construct({ ...parts, operator: each, inputs: [] })));
  const inputs = w.elements('x', operator, () => w.within(shape));
  const contents: Shape = [...shape.slice(0, batch), bins, ...shape.slice(batch + 1)];
  const initial = w.flag('with initial contents') && w.elements('initial', operator, () => contents);
  return { ...parts, operator: operator.operator, inputs, ...(initial && { initial }) };
}

function scanParts(w: CaseWriter) {
  const { shape, axis } = w.domain();
  const exclusive = w.flag('exclusive');
  const reverse = w.flag('from the end');
  const parts = { shape, axis, exclusive, reverse };
  const operator = w.operator((each) => applies(w, { kind: 'scan', operator: each, ...parts, inputs: [] }));
  return {
    ...parts,
    operator: operator.operator,
    inputs: (over: Shape): Value[] => w.elements('x', operator, () => w.within(over)),
  };
}

/** cᵢ′ = Σ Aᵢⱼ(x)·cⱼ + bᵢ(x), with outputs that need not be affine. */
function affineStep(w: CaseWriter, carries: number, others: number, outputs: number): ScalarFunction {
  const some = (count: number): ScalarFunction[] => w.c.list(count, () => smoothFunction(w.c, others, 1));
  const matrix = some(carries * carries);
  const offset = some(carries);
  const rest = smoothFunction(w.c, carries + others, outputs);
  const reals = Array.from({ length: carries + others }, () => 'real' as const);
  return scalarFunction(reals, (s, ...operands) => {
    const x = operands.slice(carries);
    const entry = (fn: ScalarFunction | undefined): ScalarOperand => (fn && s.inline(fn, x)[0]) ?? realLiteral(0);
    const next = offset.map((fn, i) =>
      Array.from({ length: carries }, (_, j) =>
        s.apply('mul', s.apply('mul', entry(matrix[i * carries + j]), realLiteral(0.25)), operands[j] as ScalarOperand),
      ).reduce((total, term) => s.apply('add', total, term), entry(fn)),
    );
    return [...next, ...s.inline(rest, operands)];
  });
}

interface LoopParameters {
  readonly t: Value;
  readonly carries: readonly Value[];
  readonly invariants: readonly Value[];
}

function loopParameters(b: ProgramBuilder): LoopParameters {
  return {
    t: b.parameter('t', arrayType('int')),
    carries: [
      b.parameter('c', arrayType('real', ['m', 2])),
      b.parameter('d', arrayType('real')),
      b.parameter('k', arrayType('int')),
    ],
    invariants: [b.parameter('v', arrayType('real', ['m', 1])), b.parameter('w', arrayType('real', [2, 2]))],
  };
}

/** A vector and a scalar that move each other, an int, and the step's number. */
function loopBody(): Program {
  const b = new ProgramBuilder();
  const parameters = loopParameters(b);
  const [c, d, k] = parameters.carries as [Value, Value, Value];
  const [v, w] = parameters.invariants as [Value, Value];
  const turned = b.apply('sin', b.matmul(c, w));
  const later = b.apply('mul', b.apply('cos', b.apply('real', b.apply('add', parameters.t, k))), v);
  const add: Operator = builtinOperator('add');
  const [total] = b.reduce(add, [b.reshape(c, ['2*m'])], 0) as [Value];
  return b.finish({
    c: b.apply('add', turned, b.apply('mul', later, d)),
    d: b.apply('tanh', b.apply('sub', total, d)),
    k: b.apply('sub', b.literal(3, 'int'), k),
  });
}

function loopedBody(): Program {
  const b = new ProgramBuilder();
  const { carries, invariants } = loopParameters(b);
  const after = b.emit({ kind: 'loop', count: 2, body: loopBody(), initial: carries, invariants });
  return b.finish(after.map((value, i) => ({ name: `after${i}`, value })));
}

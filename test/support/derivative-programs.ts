/**
 * One small program for every construct that has a derivative, and for every rule where a construct has several: what
 * devices are held to each other on. The length of the axis that matters is the symbol n, so that one kernel serves all.
 */
import { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import { arity, builtinOperator, type Operator } from '../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../engine/0-ir/program.ts';
import { realLiteral } from '../../engine/0-ir/scalar.ts';
import { identityFunction, scalarFunction } from '../../engine/0-ir/scalar-builder.ts';
import { sizeValue, type Size, type SizeBinding } from '../../engine/0-ir/sizes.ts';
import { arrayType, type Shape } from '../../engine/0-ir/types.ts';
import { randomNumbers } from './derivatives.ts';
import { linFnComp, matMul2, sumOfProd } from './operators.ts';

export interface DerivativeProgram {
  readonly name: string;
  readonly program: Program;
  /** Range of the real inputs, near the operator's neutral element where products of thousands must stay finite. */
  readonly range?: readonly [low: number, high: number];
  /** Whether its second derivatives are held to each other too. */
  readonly nested?: boolean;
  /** The largest n that is not too long here. */
  readonly most?: number;
  /** The same on a GPU, where the kernels for long axes can take software seconds to compile. */
  readonly mostOnGpu?: number;
}

/** Of every statement, so that a rule can be forced on it. */
export const origin = 'block';

type Results = Readonly<Record<string, Value>>;
type Rest = Omit<DerivativeProgram, 'name' | 'program'>;

function written(name: string, write: (b: ProgramBuilder) => Results, rest: Rest = {}): DerivativeProgram {
  const b = new ProgramBuilder();
  b.origin = origin;
  return { name, program: b.finish(write(b)), ...rest };
}

const real = (b: ProgramBuilder, name: string, ...shape: Size[]): Value => b.parameter(name, arrayType('real', shape));
const int = (b: ProgramBuilder, name: string, ...shape: Size[]): Value => b.parameter(name, arrayType('int', shape));
const named = (values: readonly Value[]): Results => Object.fromEntries(values.map((v, i) => [`y${i}`, v]));

function elements(b: ProgramBuilder, operator: Operator, shape: Shape): Value[] {
  return Array.from({ length: arity(operator) }, (_, i) => real(b, `x${i}`, ...shape));
}

const nearOne = [0.97, 1.03] as const;
const nearZero = [-0.05, 0.05] as const;
const add = builtinOperator('add');

/** × with a declared lift that has an inverse, for elements other than 0. */
const liftedProduct: Operator = {
  ...builtinOperator('multiply'),
  lift: {
    into: identityFunction(['real']),
    operator: {
      ...builtinOperator('multiply'),
      inverse: scalarFunction(['real', 'real'], (s, total, x) => [s.apply('div', total, x)]),
    },
    back: identityFunction(['real']),
  },
};

const reduces = [
  ['add', add, {}],
  ['min', builtinOperator('min'), {}],
  ['max', builtinOperator('max'), {}],
  ['multiply', builtinOperator('multiply'), { range: nearOne, nested: true }],
  ['logaddexp', builtinOperator('logaddexp'), { nested: true, mostOnGpu: 33 }],
  ['linFnComp', linFnComp, {}],
  ['sumOfProd', sumOfProd, {}],
  ['a lifted product', liftedProduct, { range: nearOne }],
] as const satisfies readonly (readonly [string, Operator, Rest])[];

const scans = [
  ['add', add, false, false, {}],
  ['add', add, true, true, {}],
  ['max', builtinOperator('max'), false, true, {}],
  ['multiply', builtinOperator('multiply'), true, false, { range: nearOne, nested: true, mostOnGpu: 33 }],
  ['linFnComp', linFnComp, false, false, {}],
  ['matMul2', matMul2, true, true, { range: nearZero, mostOnGpu: 33 }],
] as const satisfies readonly (readonly [string, Operator, boolean, boolean, Rest])[];

const histograms = [
  ['sumOfProd', sumOfProd, { nested: true }],
  ['add', add, {}],
  ['min', builtinOperator('min'), {}],
  ['multiply', builtinOperator('multiply'), { range: nearOne }],
  ['a lifted product', liftedProduct, { range: nearOne }],
] as const satisfies readonly (readonly [string, Operator, Rest])[];

/** A vector and a scalar that move each other, and the step's number. */
function loopBody(): Program {
  const b = new ProgramBuilder();
  const t = int(b, 't');
  const [c, d, w] = [real(b, 'c', 'm', 2), real(b, 'd'), real(b, 'w', 2, 2)];
  const turned = b.apply('sin', b.matmul(c, w));
  const [total] = b.reduce(add, [b.reshape(c, ['2*m'])], 0) as [Value];
  const later = b.apply('cos', b.apply('real', t));
  return b.finish({
    c: b.apply('add', turned, b.apply('mul', later, d)),
    d: b.apply('tanh', b.apply('sub', total, d)),
  });
}

export const derivativePrograms: readonly DerivativeProgram[] = [
  written(
    'map, broadcast, with an if',
    (b) => {
      const inputs = [real(b, 'a'), real(b, 'x', 'm', 'n'), real(b, 'row', 'n'), real(b, 'column', 'm', 1)];
      const f = scalarFunction(['real', 'real', 'real', 'real'], (s, a, x, r, c) => {
        const product = s.apply('mul', a, s.apply('sin', x));
        const [chosen] = s.branch(
          s.apply('lt', r, c),
          () => [s.apply('mul', s.apply('exp', r), product)],
          () => [s.apply('log1p', s.apply('mul', c, c))],
        );
        return [chosen ?? a, s.apply('div', product, s.apply('add', realLiteral(2), s.apply('mul', c, c)))];
      });
      return named(b.map(f, inputs));
    },
    { nested: true },
  ),
  ...reduces.map(([name, operator, rest]) =>
    written(`reduce ${name}`, (b) => named(b.reduce(operator, elements(b, operator, ['m', 'n']), 1)), rest),
  ),
  written('reduce along an outer axis', (b) => named(b.reduce(linFnComp, elements(b, linFnComp, ['n', 'm']), 0))),
  ...scans.map(([name, operator, exclusive, reverse, rest]) =>
    written(
      `${exclusive ? 'exclusive' : 'inclusive'} scan ${name}, ${reverse ? 'from the end' : 'from the start'}`,
      (b) => named(b.scan(operator, elements(b, operator, ['n']), 0, { exclusive, reverse })),
      rest,
    ),
  ),
  written('scan along an outer axis', (b) => named(b.scan(linFnComp, elements(b, linFnComp, ['n', 'm']), 0))),
  written('segmented scan', (b) => {
    const flags = b.parameter('flags', arrayType('bool', ['n', 1]));
    const inputs = elements(b, linFnComp, ['n', 'm']);
    return named(b.segmentedScan(linFnComp, flags, inputs, 0, { exclusive: true, reverse: true }));
  }),
  ...histograms.flatMap(([name, operator, rest]) => [
    written(
      `histogram ${name}`,
      (b) => named(b.histogram(operator, int(b, 'keys', 'n'), elements(b, operator, ['n']), 5)),
      rest,
    ),
    written(
      `histogram ${name} of rows, with initial contents`,
      (b) => {
        const inputs = elements(b, operator, ['n', 'm']);
        const initial = inputs.map((_, i) => real(b, `initial${i}`, 'bins', 'm'));
        return named(b.histogram(operator, int(b, 'keys', 'n'), inputs, 'bins', { initial }));
      },
      { ...rest, nested: false },
    ),
  ]),
  written('keyed scan, from the start', (b) => {
    const initial = [real(b, 'h0'), real(b, 'h1', 5)];
    const options = { exclusive: true, initial };
    const scanned = b.keyedScan(sumOfProd, int(b, 'keys', 'n'), elements(b, sumOfProd, ['n']), 5, options);
    return named([...scanned.running, ...scanned.totals]);
  }),
  written('inclusive keyed scan of rows, from the end', (b) => {
    const options = { shape: ['n', 'm'], reverse: true };
    const inputs = elements(b, linFnComp, ['n', 'm']);
    return named(b.keyedScan(linFnComp, int(b, 'keys', 'n'), inputs, 'bins', options).running);
  }),
  ...[false, true].map((reverse) =>
    written(
      `recurrence ${reverse ? 'from the end' : 'from the start'}`,
      (b) => {
        const step = scalarFunction(['real', 'real', 'real', 'real'], (s, p, q, u, k) => [
          s.apply('add', s.apply('mul', k, p), s.apply('sin', q)),
          s.apply('mul', s.apply('sub', u, s.apply('tanh', p)), realLiteral(0.5)),
          s.apply('mul', p, q),
        ]);
        return named(
          b.emit({
            kind: 'recurrence',
            step,
            shape: ['n', 'm'],
            axis: 0,
            reverse,
            initial: [real(b, 'p0'), real(b, 'q0', 'm')],
            inputs: [real(b, 'u', 'n', 1)],
            invariants: [real(b, 'k', 'm')],
          }),
        );
      },
      { range: [-0.6, 0.6], nested: reverse },
    ),
  ),
  written(
    'recurrence with an affine step',
    (b) => {
      const step = scalarFunction(['real', 'real', 'real'], (s, p, u, k) => {
        const next = s.apply('add', s.apply('mul', k, p), u);
        return [next, s.apply('sin', next)];
      });
      return named(
        b.emit({
          kind: 'recurrence',
          step,
          shape: ['n', 'm'],
          axis: 0,
          reverse: false,
          initial: [real(b, 'p0', 'm')],
          inputs: [real(b, 'u', 'n', 'm')],
          invariants: [real(b, 'k')],
        }),
      );
    },
    { range: [-0.9, 0.9] },
  ),
  written(
    'loop',
    (b) =>
      named(
        b.emit({
          kind: 'loop',
          count: 'n',
          body: loopBody(),
          initial: [real(b, 'c', 'm', 2), real(b, 'd')],
          invariants: [real(b, 'w', 2, 2)],
        }),
      ),
    { range: [-0.6, 0.6], most: 7, nested: true },
  ),
  written('gather', (b) => {
    const [from, indices] = [real(b, 'from', 'm', 4, 2), int(b, 'indices', 1, 'n', 2)];
    return { y: b.gather(from, indices, 'zero', 1), z: b.gather(real(b, 'row', 'n'), int(b, 'first', 2), 'zero') };
  }),
  written('scatter', (b) => {
    const into = real(b, 'into', 'm', 'n', 2);
    const order = b.sortPermutation(int(b, 'keys', 'm', 'n'));
    return { y: b.scatter(into, order, real(b, 'values', 'm', 'n', 2), { batch: 1 }) };
  }),
  written('scatter of some rows', (b) => ({
    y: b.scatter(real(b, 'into', 'n', 'm'), int(b, 'row', 1), real(b, 'values', 1, 'm')),
  })),
  written('replicate, reverse, transpose and reshape', (b) => {
    const x = real(b, 'x', 'm', 'n');
    const turned = b.transpose(b.reverse(b.replicate(x, [2, 'm', 'n']), 2), [2, 0, 1]);
    return { y: b.apply('sin', b.reshape(turned, ['2*m*n'])) };
  }),
  ...[1, 2, -1].map((step) =>
    written(`slice with step ${step}, and concatenate`, (b) => {
      const x = b.concatenate([real(b, 'x', 'm', 'n'), real(b, 'tail', 'm', 3)], 1);
      const start = step === -1 ? 'n + 2' : 1;
      return { y: b.slice(x, 1, start, step === 2 ? 'ceil((n + 2)/2)' : 'n + 1', step) };
    }),
  ),
  written('matmul', (b) => ({ y: b.matmul(real(b, 'l', 'm', 2, 'n'), real(b, 'r', 1, 'n', 3)) }), { nested: true }),
  written(
    'call',
    (b) => {
      const callee = new ProgramBuilder();
      const p = real(callee, 'p', 'n');
      const program = callee.finish({ q: callee.apply('exp', callee.scan(add, [p], 0)[0] as Value) });
      const [q] = b.emit({ kind: 'call', program, inputs: [real(b, 'x', 'n')] }) as [Value];
      return { q };
    },
    { range: nearZero },
  ),
  written(
    'a loss',
    (b) => {
      const [a, k] = [real(b, 'a'), real(b, 'k')];
      const [x, y] = [real(b, 'x', 'n'), real(b, 'y', 'n')];
      const residual = b.apply('sub', y, b.apply('mul', a, b.apply('exp', b.apply('neg', b.apply('mul', k, x)))));
      return { loss: b.reduce(add, [b.apply('mul', residual, residual)], 0)[0] as Value, residual };
    },
    { nested: true },
  ),
];

/** Elements for every parameter, the same each time; exact in f32, so that no comparison depends on the precision. */
export function fixedInputs(
  parameters: Program['parameters'],
  sizes: SizeBinding,
  [low, high]: readonly [number, number] = [-1.5, 1.5],
): Map<string, number[]> {
  const random = randomNumbers(7);
  return new Map(
    parameters.map(({ name, value }) => {
      const length = value.type.shape.reduce<number>((n, s) => n * sizeValue(s, sizes), 1);
      const draw = {
        real: () => Math.fround(low + (high - low) * random()),
        // A key below and one above the five that a table of them has.
        int: () => Math.floor(7 * random()) - 1,
        bool: () => (random() < 0.2 ? 1 : 0),
      }[value.type.element];
      return [name, Array.from({ length }, draw)];
    }),
  );
}

/** Derivatives at the edges: ties, zeros, infinities, NaN, nothing at all; the same on every device and in both precisions. */
import { describe, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { arity, builtinOperator, type BuiltinOperator, type Operator } from '../../../engine/0-ir/operators.ts';
import type { Value } from '../../../engine/0-ir/program.ts';
import { realLiteral, type ScalarOperand } from '../../../engine/0-ir/scalar.ts';
import type { ScalarBuilder } from '../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import { referenceDevice } from '../../../engine/5-runtime/reference-device.ts';
import { webGpuDevice } from '../../../engine/5-runtime/gpu/webgpu-device.ts';
import { holdEdge, moved, pulled, pushed, type Edge, type Write } from '../../support/edges.ts';
import { gpuTest } from '../../support/gpu.ts';
import { linFnComp } from '../../support/operators.ts';

const inf = Infinity;
const any = undefined;
const real = realLiteral;
const names = ['add', 'multiply', 'min', 'max', 'logaddexp'] as const;
const first = (values: readonly Value[]): Value => values[0]!;
const list = (n: number, value: (i: number) => number): number[] => Array.from({ length: n }, (_, i) => value(i));

const reduced =
  (name: BuiltinOperator): Write =>
  (b, x) =>
    first(b.reduce(builtinOperator(name), [x], 0));
/** A histogram of x by keys, in `bins` bins that begin with `initial` or empty. */
const binned =
  (name: BuiltinOperator, begun = false): Write =>
  (b, x) => {
    const keys = b.parameter('keys', arrayType('int', ['n']));
    const initial = begun && { initial: [b.parameter('initial', arrayType('real', ['bins']))] };
    return first(b.histogram(builtinOperator(name), keys, [x], 'bins', initial || {}));
  };
const scanned =
  (operator: Operator): Write =>
  (b, x) => {
    const factors = b.parameter('factors', arrayType('real', ['n']));
    return first(b.scan(operator, arity(operator) === 1 ? [x] : [x, factors], 0));
  };
type ScalarWrite = (s: ScalarBuilder, x: ScalarOperand) => ScalarOperand;
const each =
  (write: ScalarWrite): Write =>
  (b, x) =>
    b.elementwise([x], write);

/** Of a reduction: y, where it is given, and adjoints for a cotangent of one, by reverse and by forward mode. */
const both = (
  name: string,
  operator: BuiltinOperator,
  cases: readonly (readonly [x: number[], adjoint: number[], y?: number])[],
): Edge[] => [
  pulled(
    name,
    reduced(operator),
    cases.map(([x, adjoint, y]) => ({ inputs: { x }, cotangent: [1], adjoint, ...(y !== undefined && { y: [y] }) })),
  ),
  pushed(
    name,
    reduced(operator),
    cases.map(([x, adjoint]) => [x, adjoint]),
  ),
];

const reductions: readonly Edge[] = [
  ...both('ties of reduce min: the smallest index takes all', 'min', [
    [
      [3, 1, 2, 1, 1],
      [0, 1, 0, 0, 0],
    ],
    [
      [0, -0, 0],
      [1, 0, 0],
    ],
  ]),
  ...both('ties of reduce max: the smallest index takes all', 'max', [
    [
      [1, 3, 2, 3, 3],
      [0, 1, 0, 0, 0],
    ],
    [
      [3, 7, 7, 1],
      [0, 1, 0, 0],
    ],
    [
      [-0, 0],
      [1, 0],
    ],
  ]),
  ...both('the first NaN of reduce min wins, and an element beats the neutral one', 'min', [
    [[1, NaN, -inf, NaN], [0, 1, 0, 0], NaN],
    [[2, -inf, -inf], [0, 1, 0], -inf],
    [[inf, inf], [1, 0], inf],
  ]),
  ...both('the first NaN of reduce max wins, and an element beats the neutral one', 'max', [
    [[1, NaN, inf, NaN], [0, 1, 0, 0], NaN],
    [[2, inf, inf], [0, 1, 0], inf],
    [[-inf, -inf], [1, 0], -inf],
  ]),
  pulled('an infinite cotangent reaches the winner alone', reduced('min'), [
    { inputs: { x: [2, 1, 3] }, cotangent: [inf], adjoint: [0, inf, 0] },
  ]),
  ...both('of a product each takes the product of the others', 'multiply', [
    [[2, 3, 5], [15, 10, 6], 30],
    [[2, 0, 5], [0, 10, 0], 0],
    [[2, -0, 5], [0, 10, 0], -0],
    [[0, 3, -0], [0, 0, 0], -0],
    [[0, 3, 0], [0, 0, 0], 0],
    [[7], [1], 7],
    [[-0], [1], -0],
  ]),
  pulled('a product that overflows on the way', reduced('multiply'), [
    {
      inputs: { x: [2 ** 100, 2 ** 100, 2 ** -100, 2 ** -100] },
      cotangent: [1],
      adjoint: [2 ** -100, 2 ** -100, 2 ** 100, 2 ** 100],
    },
  ]),
  ...names.flatMap((name) => {
    const neutral = builtinOperator(name).neutral[0]!;
    // n times the row.
    const rows: Write = (b) => {
      const [operator, row] = [builtinOperator(name), b.parameter('row', arrayType('real', ['m']))];
      return first(b.emit({ kind: 'reduce', operator, shape: ['n', 'm'], axis: 0, inputs: [row] }));
    };
    return [
      pulled(`nothing to reduce: ${name}`, reduced(name), [{ inputs: { x: [] }, cotangent: [inf], adjoint: [] }]),
      pulled(
        `no rows to reduce: ${name} gives its neutral element and no gradient`,
        rows,
        [
          {
            inputs: { x: [], row: [5, 6] },
            cotangent: [inf, 1],
            y: [neutral, neutral],
            adjoint: [],
            others: { row: [0, 0] },
          },
        ],
        { sizes: { m: 2 } },
      ),
      pulled(`one element: ${name}`, reduced(name), [{ inputs: { x: [3] }, cotangent: [2], adjoint: [2] }]),
    ];
  }),
  pulled('logaddexp of -∞ and -∞ has no weights', reduced('logaddexp'), [
    { inputs: { x: [-inf, -inf] }, cotangent: [1], adjoint: [0, 0] },
  ]),
  moved(
    'the second derivative of logaddexp where both are equal',
    reduced('logaddexp'),
    { x: [1, 1], 'cotangent of y': [1], 'tangent of x': [1, 0], 'tangent of cotangent of y': [0] },
    [0.25, -0.25],
  ),
];

const histograms: readonly Edge[] = [
  ...names.flatMap((name) =>
    [false, true].map((begun) =>
      pulled(
        `keys out of range take an exact zero, where bins are infinite too: ${name}${begun ? ', with initial contents' : ''}`,
        binned(name, begun),
        [
          {
            inputs: {
              keys: [-1, 0, 3, 2, 2147483647, 0, -2147483648],
              x: [NaN, 1, inf, 2, -inf, 3, 0],
              initial: [1, 1, 1],
            },
            cotangent: [inf, inf, inf],
            adjoint: [0, any, 0, any, 0, any, 0],
          },
          {
            inputs: { keys: [-1, 0, 3, 2147483647], x: [NaN, 1, inf, 2], initial: [1, 1, 1] },
            cotangent: [1, inf, inf],
            adjoint: [0, begun ? any : 1, 0, 0],
          },
        ],
        { sizes: { bins: 3 } },
      ),
    ),
  ),
  ...names.flatMap((name) => {
    const neutral = builtinOperator(name).neutral[0]!;
    const inputs = { keys: [4, 1], x: [2, 3], initial: [7, 0.5, 8, NaN, 0.25, inf] };
    const cotangent = [1, 2, 3, 4, 5, 6];
    const sizes = { bins: 6 };
    return [
      pulled(
        `an empty bin holds the neutral element: ${name}`,
        binned(name),
        [{ inputs, cotangent, y: [neutral, 3, neutral, neutral, 2, neutral], adjoint: [5, 2] }],
        { sizes },
      ),
      pulled(
        `an empty bin holds what it began with: ${name}`,
        binned(name, true),
        [
          {
            inputs,
            cotangent,
            y: [7, any, 8, NaN, any, inf],
            adjoint: [any, any],
            others: { initial: [1, any, 3, 4, any, 6] },
          },
        ],
        { sizes },
      ),
    ];
  }),
  pulled(
    'no elements at all: the contents and their adjoints stay',
    binned('min', true),
    [
      {
        inputs: { keys: [], x: [], initial: [4, 5] },
        cotangent: [2, 3],
        y: [4, 5],
        adjoint: [],
        others: { initial: [2, 3] },
      },
    ],
    { sizes: { bins: 2 } },
  ),
  pulled(
    'in each bin the smallest index takes all',
    binned('min'),
    [
      { inputs: { keys: [1, 0, 1, 1, 0], x: [5, 4, 2, 2, 4] }, cotangent: [10, 20], adjoint: [0, 10, 20, 0, 0] },
      { inputs: { keys: [0, 1, 0, 1, 0], x: [2, 4, 1, 4, 1] }, cotangent: [1, 10], adjoint: [0, 10, 1, 0, 0] },
    ],
    { sizes: { bins: 2 } },
  ),
  pulled(
    'initial contents come before equal elements',
    binned('min', true),
    [
      {
        inputs: { keys: [1, 0, 1, 1, 0], x: [5, 4, 2, 2, 4], initial: [4, 3] },
        cotangent: [10, 20],
        adjoint: [0, 0, 20, 0, 0],
        others: { initial: [10, 0] },
      },
    ],
    { sizes: { bins: 2 } },
  ),
  pulled(
    'the first NaN of a bin',
    binned('max'),
    [{ inputs: { keys: [2, 2, 2], x: [inf, NaN, NaN] }, cotangent: [1, 1, 1], adjoint: [0, 1, 0] }],
    { sizes: { bins: 3 } },
  ),
  pulled(
    'products in bins: none, one and two zeros',
    binned('multiply'),
    [0, -0].map((zero) => ({
      inputs: { keys: [0, 1, 2, 2, 1, 0], x: [2, zero, 0, 0, 7, 3] },
      cotangent: [1, 1, 1],
      adjoint: [3, 7, 0, 0, 0, 2],
    })),
    { sizes: { bins: 3 } },
  ),
];

const times = builtinOperator('multiply');

/** Where a product of Jacobians overflows though nothing flows through it. Backwards from step `at`. */
const affine = (at: number, rule?: string): Edge =>
  pulled(
    `x' = 3x + u with u = 0 for 1990 steps stays finite, backwards from ${at} by ${rule ?? 'the rule chosen'}`,
    scanned(linFnComp),
    [
      {
        inputs: { x: list(1990, () => 0), factors: list(1990, () => 3) },
        cotangent: list(1990, (t) => Number(t === at)),
        y: list(1990, () => 0),
        adjoint: list(1990, (t) => (t <= at ? 3 ** (at - t) : 0)),
        others: { factors: list(1990, () => 0) },
      },
    ],
    { wide: at > 80, ...(rule !== undefined && { rule }) },
  );

const scans: readonly Edge[] = [
  affine(500),
  ...['scan-structured', 'scan-general', 'scan-ppad'].map((rule) => affine(12, rule)),
  ...['scan-general', 'scan-ppad'].flatMap((rule) => [
    pulled(
      `the adjoint of scan × over 800 values of 100 with a cotangent at 0 alone, by ${rule}`,
      scanned(times),
      [
        {
          inputs: { x: list(800, () => 100), factors: list(800, () => 0) },
          cotangent: list(800, (t) => Number(t === 0)),
          y: [...new Array<undefined>(799), inf],
          adjoint: list(800, (t) => Number(t === 0)),
        },
      ],
      { rule },
    ),
    // ∂/∂ȳ of what flows back where ȳ is zero: a guard against ∞·0 must not make a constant of it.
    moved(
      `what flows back is linear in a cotangent of zero, by ${rule}`,
      scanned(times),
      {
        x: [2, 3, 5],
        factors: [0, 0, 0],
        'cotangent of y': [0, 0, 0],
        'tangent of x': [0, 0, 0],
        'tangent of factors': [0, 0, 0],
        'tangent of cotangent of y': [0, 0, 1],
      },
      [15, 10, 6],
      rule,
    ),
  ]),
];

/** A carry that grows beyond all bounds beside the one that is asked for. */
const besideOverflow: Write = (b, x) => {
  const body = new ProgramBuilder();
  body.parameter('t', arrayType('int'));
  const [c, d] = [body.parameter('c', arrayType('real')), body.parameter('d', arrayType('real'))];
  const [sum] = body.reduce(builtinOperator('add'), [body.parameter('x', arrayType('real', ['n']))], 0) as [Value];
  const grown = body.apply('mul', d, body.literal(1e200));
  const step = body.finish({ c: body.apply('add', c, sum), d: body.apply('mul', grown, sum) });
  const initial = [b.literal(0), b.literal(1)];
  return first(b.emit({ kind: 'loop', count: 5, body: step, initial, invariants: [x] }));
};

const others: readonly Edge[] = [
  ...(
    [
      ['nan', NaN],
      ['zero', 0],
    ] as const
  ).map(([outside, value]) =>
    pulled(
      `a gather out of range gives ${outside} and takes nothing`,
      (b, x) => b.gather(x, b.parameter('indices', arrayType('int', [5])), outside),
      [
        {
          inputs: { x: [10, 20, 30], indices: [2, -1, 0, 3, 2] },
          cotangent: [1, inf, 2, NaN, 4],
          y: [30, value, 10, value, 30],
          adjoint: [2, 0, 5],
        },
      ],
    ),
  ),
  pulled('a carry of a loop that reaches nothing differentiated brings no ∞·0', besideOverflow, [
    { inputs: { x: [1, 2] }, cotangent: [1], y: [15], adjoint: [5, 5] },
  ]),
];

/** Of a scalar function at several x, with a cotangent of one. */
const scalar = (name: string, write: ScalarWrite, x: readonly number[], adjoint: readonly number[]): Edge =>
  pulled(name, each(write), [{ inputs: { x }, cotangent: x.map(() => 1), adjoint }]);

const logOfPositive: ScalarWrite = (s, x) =>
  s.branch(
    s.apply('lt', real(0), x),
    () => [s.apply('log', x)],
    () => [real(0)],
  )[0] as ScalarOperand;

const scalars: readonly Edge[] = [
  scalar('scalar min: the first operand on ties', (s, x) => s.apply('min', x, real(1)), [1, 2, 0], [1, 0, 1]),
  scalar('scalar max: the first operand on ties', (s, x) => s.apply('max', real(1), x), [1, 2, 0], [0, 1, 0]),
  scalar('abs at 0', (s, x) => s.apply('abs', x), [-2, 0, -0, 3], [-1, 0, 0, 1]),
  scalar('clamp at a bound', (s, x) => s.apply('clamp', x, real(0), real(1)), [-1, 0, 0.5, 1, 2], [0, 1, 1, 1, 0]),
  scalar('floor and sign', (s, x) => s.apply('add', s.apply('floor', x), s.apply('sign', x)), [0, 1, -2.5], [0, 0, 0]),
  scalar('xlogy of 0', (s, x) => s.apply('xlogy', real(0), x), [0, 1, 4], [0, 0, 0]),
  scalar('x² at 0 and at a negative base', (s, x) => s.apply('pow', x, real(2)), [0, -3], [0, -6]),
  scalar('√x as a power at 0', (s, x) => s.apply('pow', x, real(0.5)), [0, 4], [inf, 0.25]),
  scalar('1/x as a power at 0', (s, x) => s.apply('pow', x, real(-1)), [0, 2], [-inf, -0.25]),
  scalar('the exponent of 0', (s, x) => s.apply('pow', real(0), x), [0, 1, 2], [0, 0, 0]),
  scalar('an int made real ends the chain', (s, x) => s.apply('real', s.apply('int', x)), [1.5, -2], [0, 0]),
  pulled('only the branch taken: if(x > 0, log(x), 0) at x ≤ 0', each(logOfPositive), [
    { inputs: { x: [-1, 0, 4, NaN] }, cotangent: [1, 1, 1, 1], adjoint: [0, 0, 0.25, 0] },
    {
      inputs: { x: [-1, 0, -0, 4, NaN, -inf] },
      cotangent: [1, inf, NaN, 1, inf, inf],
      y: [0, 0, 0, Math.log(4), 0, 0],
      adjoint: [0, 0, 0, 0.25, 0, 0],
    },
  ]),
  pushed('only the branch taken: if(x > 0, log(x), 0) at x ≤ 0', each(logOfPositive), [
    [[-1], [0]],
    [[0], [0]],
    [[-0], [0]],
    [[4], [0.25]],
    [[NaN], [0]],
    [[-inf], [0]],
  ]),
];

describe.each([...reductions, ...histograms, ...scans, ...others, ...scalars])('$name', (edge) => {
  test('by interpretation', () => holdEdge(referenceDevice(), edge, 1e-12));
  test('on the CPU in f64', () => holdEdge(cpuDevice(), edge, 1e-12));
  test.skipIf(edge.wide)('on the CPU in f32', () => holdEdge(cpuDevice({ precision: 'f32' }), edge, 1e-5));
  if (!edge.wide) gpuTest('on the GPU', (host) => holdEdge(webGpuDevice(host), edge, 1e-5));
});

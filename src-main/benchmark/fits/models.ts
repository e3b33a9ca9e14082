/** The models whose fit iterations are timed, with data that their formulas might have made. */
import {
  builtinOperator,
  realLiteral,
  type ScalarBuilder,
  type ScalarOperand,
  type Value,
} from '../../../engine/index.ts';
import { linFnComp } from '../operators.ts';
import { n, type Subject, SubjectBuilder } from '../subject.ts';

export interface FitModel {
  readonly name: string;
  /** Its results: `loss`, and `residuals` where it is least squares. */
  readonly subject: Subject;
  /** By which it is differentiated. */
  readonly by: readonly string[];
  /** Numbers of each element that one pass must read and write: reals, and keys of four bytes. */
  readonly reads: number;
  readonly writes: number;
  readonly keys: number;
}

const add = builtinOperator('add');

/** A parameter at this value; `size` of them where it is an array. */
const at = (b: SubjectBuilder, name: string, value: number): Value => b.data(name, [value, value], []);

const sum = (b: SubjectBuilder, x: Value): Value => b.reduce(add, [x], 0)[0]!;
const square = (s: ScalarBuilder, x: ScalarOperand): ScalarOperand => s.apply('mul', x, x);

interface Sizes {
  readonly reads: number;
  readonly writes?: number;
  readonly keys?: number;
}

function model(
  name: string,
  by: readonly string[],
  { reads, writes = 0, keys = 0 }: Sizes,
  write: (b: SubjectBuilder) => Readonly<Record<string, Value>>,
): FitModel {
  const b = new SubjectBuilder();
  const program = b.finish(write(b));
  const inputs = program.parameters.map((parameter) => parameter.name);
  const fixed = new Set(inputs.filter((input) => !by.includes(input)));
  return { name, by, reads, writes, keys, subject: { program, ranges: b.ranges, fixed } };
}

/** Loss and residuals of least squares. */
function leastSquares(b: SubjectBuilder, predicted: Value, observed: Value) {
  const residuals = b.apply('sub', predicted, observed);
  return { loss: sum(b, b.elementwise([residuals], square)), residuals };
}

/** A·exp(−k·t). */
const decay = model('exponential decay', ['A', 'k'], { reads: 2 }, (b) => {
  const predicted = b.elementwise([at(b, 'A', 1), at(b, 'k', 0.3), b.data('t', [0, 10])], (s, A, k, t) =>
    s.apply('mul', A, s.apply('exp', s.apply('neg', s.apply('mul', k, t)))),
  );
  return leastSquares(b, predicted, b.data('y', [0, 1]));
});

/** One compartment, doses given into a vein: cᵢ = cᵢ₋₁·exp(−ke·Δtᵢ) + doseᵢ/V, a scan with composition of linear functions. */
const pharmacokinetics = model('pharmacokinetics', ['ke', 'V'], { reads: 3 }, (b) => {
  const given = b.elementwise([b.data('dose', [0, 1]), at(b, 'V', 10)], (s, dose, V) => s.apply('div', dose, V));
  const kept = b.elementwise([at(b, 'ke', 0.3), b.data('dt', [0.1, 0.3])], (s, ke, dt) =>
    s.apply('exp', s.apply('neg', s.apply('mul', ke, dt))),
  );
  const [concentration] = b.scan(linFnComp, [given, kept], 0);
  return leastSquares(b, concentration!, b.data('y', [0.5, 1.5]));
});

const bins = 50;

/**
 * Events reweighted by exp(s·x), their sums in bins over a background, μ = rate·Σw + 1, against counts: Poisson's
 * likelihood Σ μ − counts·log μ, and Pearson's residuals.
 */
const poisson = model('binned Poisson', ['rate', 'slope'], { reads: 1, keys: 1 }, (b) => {
  const weights = b.elementwise([at(b, 'slope', 0.5), b.data('x', [0, 1])], (s, slope, x) =>
    s.apply('exp', s.apply('mul', slope, x)),
  );
  const [sums] = b.histogram(add, b.keys('keys', bins), [weights], bins);
  const expected = b.elementwise([at(b, 'rate', 1), sums!], (s, rate, total) =>
    s.apply('add', s.apply('mul', rate, total), realLiteral(1)),
  );
  const counts = b.data('counts', [50, 150], [bins]);
  const terms = b.elementwise([expected, counts], (s, mu, count) =>
    s.apply('sub', mu, s.apply('mul', count, s.apply('log', mu))),
  );
  const residuals = b.elementwise([expected, counts], (s, mu, count) =>
    s.apply('div', s.apply('sub', mu, count), s.apply('sqrt', count)),
  );
  return { loss: sum(b, terms), residuals };
});

const clusters = 5;
const mixtureParameters = ['alpha', 'm0', 'm1', 'q0', 'q1', 'l'] as const;

/**
 * A Gaussian mixture as in ADBench (Šrajer, Kukelova, Fitzgibbon, 2018), d = 2, K = 5, with γ = 1 and m = 0:
 * −Σᵢ log Σₖ exp(αₖ + Σqₖ − ½‖Qₖ(xᵢ − μₖ)‖²) + n·log Σₖ exp αₖ + ½·Σₖ‖Qₖ‖², Q lower triangular, its diagonal exp q.
 */
const mixture = model('Gaussian mixture', mixtureParameters, { reads: 2 }, (b) => {
  const [x0, x1] = ['x0', 'x1'].map((name) => b.reshape(b.data(name, [-2, 2]), [n, 1])) as [Value, Value];
  const parameters = mixtureParameters.map((name) => b.data(name, [-0.5, 0.5], [clusters]));
  const logaddexp = builtinOperator('logaddexp');
  const half = realLiteral(0.5);
  const terms = b.elementwise([x0, x1, ...parameters], (s, x, y, ...p) => {
    const [alpha, m0, m1, q0, q1, l] = p as [
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
    ];
    const [dx, dy] = [s.apply('sub', x, m0), s.apply('sub', y, m1)];
    const first = s.apply('mul', s.apply('exp', q0), dx);
    const second = s.apply('add', s.apply('mul', l, dx), s.apply('mul', s.apply('exp', q1), dy));
    const distance = s.apply('add', square(s, first), square(s, second));
    return s.apply('sub', s.apply('add', alpha, s.apply('add', q0, q1)), s.apply('mul', half, distance));
  });
  const [likelihoods] = b.reduce(logaddexp, [terms], 1);
  const [alpha, , , q0, q1, l] = parameters as [Value, Value, Value, Value, Value, Value];
  const [normalised] = b.reduce(logaddexp, [alpha], 0);
  const squares = b.elementwise([q0, q1, l], (s, q, r, low) => {
    const [first, second] = [s.apply('exp', q), s.apply('exp', r)];
    const norm = s.apply('add', s.apply('add', square(s, first), square(s, second)), square(s, low));
    return s.apply('mul', half, norm);
  });
  const perPoint = b.apply('sub', normalised!, likelihoods!);
  return { loss: b.apply('add', sum(b, perPoint), sum(b, squares)) };
});

/** Σ(v − exp(−0.3·v))², by all of v: what is written is as long as the data. */
const sumOfSquares = model('sum of squares', ['v'], { reads: 1, writes: 1 }, (b) => ({
  loss: sum(
    b,
    b.elementwise([b.data('v', [0, 1])], (s, v) =>
      square(s, s.apply('sub', v, s.apply('exp', s.apply('mul', realLiteral(-0.3), v)))),
    ),
  ),
}));

export const fitModels: readonly FitModel[] = [decay, pharmacokinetics, poisson, mixture, sumOfSquares];

/**
 * Misra1a of NIST's Statistical Reference Datasets (public domain): Σ(b1·(1 − exp(−b2·x)) − y)², from its first, distant,
 * starting values; the others lie within the bounds of the example in the catalogue.
 */
import {
  arrayType,
  builtinOperator,
  type FitProblem,
  ProgramBuilder,
  realLiteral,
  type Value,
} from '../../../engine/index.ts';

const x = [77.6, 114.9, 141.1, 190.8, 239.9, 289, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760];
const y = [10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.4, 75.47, 81.78];

export function misra1a(): FitProblem {
  const b = new ProgramBuilder();
  const [xs, ys] = ['x', 'y'].map((name) => b.parameter(name, arrayType('real', ['n']))) as [Value, Value];
  const [b1, b2] = ['b1', 'b2'].map((name) => b.parameter(name, arrayType('real'))) as [Value, Value];
  const curve = b.elementwise([b1, b2, xs], (s, scale, rate, at) =>
    s.apply('mul', scale, s.apply('sub', realLiteral(1), s.apply('exp', s.apply('neg', s.apply('mul', rate, at))))),
  );
  const residuals = b.apply('sub', curve, ys);
  const [loss] = b.reduce(builtinOperator('add'), [b.apply('mul', residuals, residuals)], 0);
  const parameter = (name: string, initial: number, upper: number) => {
    return { name, shape: [], initial: [initial], lower: [0], upper: [upper], fixed: false, scale: 'linear' as const };
  };
  return {
    program: b.finish({ loss: loss!, residuals }),
    energy: 'loss',
    objective: 'loss',
    residuals: ['residuals'],
    observations: x.length,
    sigmaKnown: false,
    parameters: [parameter('b1', 500, 1000), parameter('b2', 1e-4, 2e-3)],
    data: new Map([
      ['x', x],
      ['y', y],
    ]),
    sizes: { n: x.length },
  };
}

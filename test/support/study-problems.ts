/** Problems for studies, written as formulas. */
import { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../engine/0-ir/program.ts';
import { arrayType } from '../../engine/0-ir/types.ts';
import type { FitParameter, FitProblem } from '../../engine/6-fit/problem.ts';
import type { Distribution } from '../../engine/7-study/sensitivity/distribution.ts';
import type { SensitivityProblem } from '../../engine/7-study/sensitivity/problem.ts';
import { compileFormulas } from '../../models/formula/compile.ts';

/** A scalar result `f` of the formula, in which these names are real scalars. */
export function scalarProgram(formula: string, names: readonly string[]): Program {
  const compiled = compileFormulas([{ output: 'f', text: formula }], () => 'real');
  if (!compiled.ok) throw new Error(compiled.errors[0]?.message);
  const b = new ProgramBuilder();
  const known = new Map<string, Value>(names.map((name) => [name, b.parameter(name, arrayType('real'))]));
  const ports = compiled.ports.map((port) => known.get((port as { name: string }).name)!);
  return b.finish({ f: b.map(compiled.function, ports, [])[0]! });
}

export function scalarParameter(name: string, initial: number, more: Partial<FitParameter> = {}): FitParameter {
  const unbounded = { lower: [-Infinity], upper: [Infinity], fixed: false, scale: 'linear' as const };
  return { name, shape: [], initial: [initial], ...unbounded, ...more };
}

export function sensitivityOf(
  formula: string,
  distributions: Readonly<Record<string, Distribution>>,
  initial = 1,
): SensitivityProblem {
  const names = Object.keys(distributions);
  return {
    program: scalarProgram(formula, names),
    output: 'f',
    parameters: names.map((name) => scalarParameter(name, initial)),
    data: new Map(),
    sizes: {},
    distributions: Object.values(distributions),
  };
}

export interface Curve {
  /** Over x and the parameters; the data are y. */
  readonly formula: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly parameters: readonly FitParameter[];
}

/** Least squares of a curve to y, with results `loss` and `residuals`. */
export function curveProblem({ formula, x, y, parameters }: Curve): FitProblem {
  const compiled = compileFormulas([{ output: 'curve', text: formula }], () => 'real');
  if (!compiled.ok) throw new Error(compiled.errors[0]?.message);
  const b = new ProgramBuilder();
  const known = new Map<string, Value>();
  for (const name of ['x', 'y']) known.set(name, b.parameter(name, arrayType('real', ['n'])));
  for (const { name } of parameters) known.set(name, b.parameter(name, arrayType('real')));
  const ports = compiled.ports.map((port) => known.get((port as { name: string }).name)!);
  const residuals = b.apply('sub', b.map(compiled.function, ports, ['n'])[0]!, known.get('y')!);
  const [loss] = b.reduce(builtinOperator('add'), [b.apply('mul', residuals, residuals)], 0);
  return {
    program: b.finish({ loss: loss!, residuals }),
    energy: 'loss',
    objective: 'loss',
    residuals: ['residuals'],
    observations: y.length,
    sigmaKnown: false,
    parameters,
    data: new Map([
      ['x', x],
      ['y', y],
    ]),
    sizes: { n: y.length },
  };
}

/** A −log density `f` given by a formula; the fit minimises it. */
export function densityProblem(formula: string, parameters: readonly FitParameter[]): FitProblem {
  return {
    program: scalarProgram(
      formula,
      parameters.map(({ name }) => name),
    ),
    energy: 'f',
    objective: 'f',
    residuals: [],
    observations: 0,
    sigmaKnown: true,
    parameters,
    data: new Map(),
    sizes: {},
  };
}

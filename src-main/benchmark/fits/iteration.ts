/** The programs that one iteration of a fit runs. */
import {
  jacobianName,
  type Program,
  ProgramBuilder,
  type Value,
  builtinOperator,
  withGradient,
  withJacobian,
} from '../../../engine/index.ts';
import type { FitModel } from './models.ts';

export type Quantity = 'loss' | 'gradient' | 'normal equations';

const only = (program: Program, result: string): Program => ({
  ...program,
  results: program.results.filter(({ name }) => name === result),
});

/** JᵀJ, Jᵀr and rᵀr of the residuals r: all that a step of Gauss and Newton needs, as one sum for each entry. */
function normalEquations(program: Program, by: readonly string[]): Program {
  const jacobian = withJacobian(only(program, 'residuals'), ['residuals'], by);
  const b = new ProgramBuilder();
  const inputs = jacobian.parameters.map(({ name, value }) => b.parameter(name, value.type));
  const values = b.emit({ kind: 'call', program: jacobian, inputs });
  const results: Record<string, Value> = {};
  const names = ['residuals', ...by.map((parameter) => jacobianName('residuals', parameter))];
  const columns = names.map((name) => values[jacobian.results.findIndex((result) => result.name === name)]!);
  columns.forEach((left, i) =>
    columns.slice(i).forEach((right, j) => {
      const [total] = b.reduce(builtinOperator('add'), [b.apply('mul', left, right)], 0);
      results[`${names[i]} · ${names[i + j]}`] = total!;
    }),
  );
  return b.finish(results);
}

/** Undefined where the model has no such thing. */
export const iterationPrograms: { readonly [Q in Quantity]: (model: FitModel) => Program | undefined } = {
  loss: ({ subject }) => only(subject.program, 'loss'),
  gradient: ({ subject, by }) => withGradient(only(subject.program, 'loss'), 'loss', by),
  'normal equations': ({ subject, by }) =>
    subject.program.results.some(({ name }) => name === 'residuals') ? normalEquations(subject.program, by) : undefined,
};

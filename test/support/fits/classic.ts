/** A classic problem (test/classic) as the engine has it. */
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import type { Value } from '../../../engine/0-ir/program.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { compileFormulas } from '../../../models/formula/compile.ts';
import type { ClassicProblem } from '../../classic/problems.ts';
import { scalarParameter } from '../study-problems.ts';

export function classicProblem({ residuals, columns, parameters, start }: ClassicProblem): FitProblem {
  const b = new ProgramBuilder();
  const known = new Map<string, Value>();
  for (const name of Object.keys(columns)) known.set(name, b.parameter(name, arrayType('real', ['n'])));
  for (const name of parameters) known.set(name, b.parameter(name, arrayType('real')));
  const results: Record<string, Value> = {};
  const sums: Value[] = [];
  const n = Object.values(columns)[0]?.length ?? 0;
  let observations = 0;
  residuals.forEach((text, k) => {
    const compiled = compileFormulas([{ output: 'r', text }], () => 'real');
    if (!compiled.ok) throw new Error(`${text}: ${compiled.errors[0]?.message}`);
    const ports = compiled.ports.map((port) => (port as { name: string }).name);
    const values = ports.map((name) => known.get(name)!);
    const rows = ports.some((name) => name in columns);
    observations += rows ? n : 1;
    const residual = b.map(compiled.function, values, rows ? ['n'] : [])[0]!;
    results[`r${k}`] = residual;
    const square = b.apply('mul', residual, residual);
    sums.push(rows ? b.reduce(builtinOperator('add'), [square], 0)[0]! : square);
  });
  const energy = sums.reduce((total, sum) => b.apply('add', total, sum));
  return {
    program: b.finish({ energy, ...results }),
    energy: 'energy',
    objective: 'energy',
    residuals: Object.keys(results),
    observations,
    sigmaKnown: false,
    parameters: parameters.map((name, i) => scalarParameter(name, start[i]!)),
    data: new Map(Object.entries(columns)),
    sizes: { n },
  };
}

/** A model as the problem that the optimisers solve: they know programs and parameters, and no documents. */
import { interpret } from '../../engine/4-backends/reference/interpret.ts';
import type { FitProblem } from '../../engine/6-fit/problem.ts';
import type { Model } from '../load/model.ts';
import { lowerModel } from './lower.ts';

/**
 * The posterior is minimised where a parameter has a prior, else the objective. Throws `DocumentError` where the
 * document names no objective.
 */
export function fitProblem(model: Model): FitProblem {
  const { program, inputs, sizes, parameters, terms } = lowerModel(model, { objective: 'residuals' });
  const has = (name: string): boolean => program.results.some((result) => result.name === name);
  const energy = has('posterior') ? 'posterior' : 'objective';
  const squares = energy === 'objective' && has('residuals');
  const wanted = new Set([energy, 'objective', ...(squares ? ['residuals'] : [])]);
  return {
    program: { ...program, results: program.results.filter(({ name }) => wanted.has(name)) },
    energy,
    objective: 'objective',
    residuals: squares ? ['residuals'] : [],
    observations: observedRows(model),
    sigmaKnown: terms.every((term) => term.noise === 'known'),
    parameters: parameters.map(({ id: name, shape, initial, lower, upper, fixed, scale }) => ({
      name,
      shape,
      initial,
      lower,
      upper,
      fixed,
      scale,
    })),
    data: new Map(
      [...inputs]
        .filter(([name]) => !parameters.some((parameter) => parameter.id === name))
        .map(([name, input]) => [name, input.values]),
    ),
    sizes,
  };
}

/** How many elements the objective's blocks observed, missing ones left out. */
export function observedRows(model: Model): number {
  const { program, inputs, sizes } = lowerModel(model, { objective: 'rows' });
  if (program.results.length === 0) return 0;
  const values = new Map([...inputs].map(([name, input]) => [name, input.values]));
  return interpret(program, values, sizes).get('rows')?.values[0] ?? 0;
}

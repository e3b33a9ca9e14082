/** Data of the objective that count for more or less, or are drawn again. */
import type { ObservedResiduals, Redrawn } from '../../../engine/index.ts';
import { outputAt } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import { lowerModel, type Lowered } from '../../../models/lower/lower.ts';
import type { resamplings } from '../../contract/study-choices.ts';

export type Resampling = (typeof resamplings)[number];

/** The density with data drawn again, over the same parameters as the fit. Undefined where there are residuals to draw. */
export function redrawnOf(model: Model, resample: Resampling): Redrawn | undefined {
  if (resample === 'residuals') return undefined;
  const { program, inputs, sizes, parameters, redrawn } = lowerModel(model, { objective: resample });
  return { resample, program, sizes, result: 'density', terms: redrawn, data: dataOf(inputs, parameters) };
}

/** The residuals of least squares, and what was observed for each, of the blocks whose observations are data. */
export function residualsOf(model: Model): ObservedResiduals {
  const { program, inputs, sizes, parameters } = lowerModel(model, { objective: 'observed' });
  const data = new Set(observedBlocks(model));
  return {
    ...{ program, sizes, result: 'residuals', data: dataOf(inputs, parameters) },
    terms: model.objective.map(({ block }) => ({ observed: `observed ${block}`, isData: data.has(block) })),
  };
}

const dataOf = (inputs: Lowered['inputs'], parameters: Lowered['parameters']): Map<string, ArrayLike<number>> => {
  const ids = new Set(parameters.map(({ id }) => id));
  return new Map([...inputs].filter(([name]) => !ids.has(name)).map(([name, { values }]) => [name, values]));
};

/** Blocks of the objective whose observations are data. */
export function observedBlocks({ objective, blocks }: Model): string[] {
  return objective.flatMap(({ block }) => {
    const link = blocks.get(block)?.links.get('observed');
    return link !== undefined && !outputAt({ blocks }, link).computed ? [block] : [];
  });
}

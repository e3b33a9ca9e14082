/** Data of the objective that count for more or less, or are drawn again. */
import type { Redrawn } from '../../../engine/index.ts';
import { outputAt } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import type { resamplings } from '../../contract/study-choices.ts';

export type Resampling = (typeof resamplings)[number];

/** The density with data drawn again, over the same parameters as the fit. Undefined where there are residuals to draw. */
export function redrawnOf(model: Model, resample: Resampling): Redrawn | undefined {
  if (resample === 'residuals') return undefined;
  const { program, inputs, sizes, parameters, redrawn } = lowerModel(model, { objective: resample });
  const ids = new Set(parameters.map(({ id }) => id));
  return {
    ...{ resample, program, sizes, result: 'density', terms: redrawn },
    data: new Map([...inputs].filter(([name]) => !ids.has(name)).map(([name, { values }]) => [name, values])),
  };
}

/** Blocks of the objective whose observations are data. */
export function observedBlocks({ objective, blocks }: Model): string[] {
  return objective.flatMap(({ block }) => {
    const link = blocks.get(block)?.links.get('observed');
    return link !== undefined && !outputAt({ blocks }, link).computed ? [block] : [];
  });
}

/** The fit at whose end a study is taken. */
import { defaultMethod, type Device, type FitProblem, type FitResult, heeding } from '../../../engine/index.ts';
import { objectiveTerms } from '../../../models/load/objective-terms.ts';
import type { Model } from '../../../models/load/model.ts';
import { combinationOf } from '../../../models/objective/combination.ts';
import { Refused } from '../../refused.ts';
import { fitFromAll, methodOf, problemOf, solved } from '../fit/fit.ts';
import { atModes, demandModes } from '../fit/random-effects.ts';
import type { StudyContext } from './study-context.ts';

export interface FittedFirst {
  readonly problem: FitProblem;
  readonly result: FitResult;
}

/** By the document's own method. Throws `Refused` where what is minimised is no likelihood. */
export async function fitFirst(
  model: Model,
  device: Device,
  { parameters, maxIterations, cancel, onProgress }: StudyContext,
  { byGroup = false }: { readonly byGroup?: boolean } = {},
): Promise<FittedFirst> {
  const problem = await problemOf(model, heeding(device, cancel), parameters, { byGroup });
  if (problem.noDensity)
    throw new Refused(
      combinationOf(objectiveTerms(model.blocks, model.objective)).warnings[0] ?? 'the objective is no likelihood',
    );
  await demandModes(problem);
  const { fit } = model.document;
  const ended = await fitFromAll(problem, device, methodOf(fit?.method ?? defaultMethod(problem)), {
    ...{ starts: fit?.starts, seed: fit?.seed, maxIterations },
    ...(cancel && { cancel }),
    onProgress: () => onProgress?.('fitting', 0),
  });
  const { result } = await solved(model, device, ended, cancel);
  return { problem: await atModes(problem, result), result };
}

/**
 * What chains move in the place of random effects. Where the data of a group say little of its effect b, how far b may be from
 * 0 is what its deviation says, and the density is a funnel whose neck no step length fits: w with b = sd·L·w is moved, which
 * has none (Betancourt and Girolami 2015, arXiv:1312.0906; "non-centred"). Where they say much it is w that would go with sd,
 * and b is moved itself.
 */
import { cpuDevice, effectModes } from '../../../engine/index.ts';
import type { RandomEffectDetail } from '../../../models/blocks/random-effect.ts';
import type { Model } from '../../../models/load/model.ts';
import { freed } from '../../../models/lower/freed.ts';
import { effectBlockIds, withStandardEffects } from '../../../models/lower/standard-effects.ts';
import { Refused } from '../../refused.ts';
import { fitFirst } from './fit-first.ts';
import type { StudyContext } from './study-context.ts';

/** Of the variance of a population, how much the data of a group leave of an effect: below it they say much. */
const TOLD = 0.05;

/** The model with w in the place of those effects of which the data say little at the most likely parameters. */
export async function sampledModel(model: Model, context: StudyContext): Promise<Model> {
  const ids = effectBlockIds(model);
  if (ids.length === 0) return model;
  const left = await varianceLeft(model, context);
  return withStandardEffects(
    model,
    ids.filter((id) => {
      const { effects } = model.blocks.get(id)!.detail as RandomEffectDetail;
      return effects.some((effect) => !((left.get(effect.id) ?? 1) < TOLD));
    }),
  );
}

/** By effect: the most of any group, in units of the population's variance; 1 where the data say nothing. */
async function varianceLeft(model: Model, context: StudyContext): Promise<Map<string, number>> {
  const device = cpuDevice();
  const found = new Map<string, number>();
  try {
    const integrated = {
      ...model,
      document: { ...model.document, fit: { ...model.document.fit, marginal: 'laplace' as const } },
    };
    const { problem, result } = await fitFirst(freed(integrated, context.parameters), device, context);
    const modes = result.status === 'converged' ? await effectModes(problem, device, result.estimates) : undefined;
    if (!modes || 'why' in modes) return found;
    for (const { id, effects, groups } of problem.effects ?? []) {
      const d = effects.length;
      const covariances = modes.covariances.get(id) ?? new Float64Array();
      effects.forEach((effect, i) => {
        let most = 0;
        for (let g = 0; g < groups; g++) most = Math.max(most, covariances[(g * d + i) * d + i]!);
        found.set(effect, most);
      });
    }
    return found;
  } catch (error) {
    // What cannot be integrated out can be drawn.
    if (error instanceof Refused) return found;
    throw error;
  } finally {
    device.close();
  }
}

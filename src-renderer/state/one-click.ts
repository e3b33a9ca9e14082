/** What each of the buttons after a fit asks for. */
import type { CheckReport } from '../../src-main/contract.ts';
import type { PlotRequest } from './plot-data.ts';
import type { RequestOf } from './studying.svelte.ts';

/** The predictions that are drawn get their bands with every study of uncertainty. */
export function bandReferences(plots: readonly PlotRequest[]): string[] {
  return [...new Set(plots.map(({ prediction }) => prediction))];
}

export function intervalStudy(plots: readonly PlotRequest[]): RequestOf<'uncertainty'> {
  return { kind: 'uncertainty', method: 'profile', bands: bandReferences(plots) };
}

export function bandStudy(plots: readonly PlotRequest[]): RequestOf<'uncertainty'> {
  return { kind: 'uncertainty', method: 'covariance', bands: bandReferences(plots) };
}

/** At its optimum the objective has no slope: what is worth ranking by is the prediction. */
export function rankingStudy(plots: readonly PlotRequest[]): RequestOf<'sensitivity'> {
  const [of] = bandReferences(plots);
  return { kind: 'sensitivity', method: 'local', ...(of !== undefined && { of }) };
}

/** The methods that study an array too, element by element; the others want a scalar. */
const ofArrays: ReadonlySet<RequestOf<'sensitivity'>['method']> = new Set(['local', 'sobol']);

/** What a method can study. The objective itself has no name here. */
export function subjectsFor(method: RequestOf<'sensitivity'>['method'], report: CheckReport | undefined): string[] {
  return (report?.blocks ?? []).flatMap((block) =>
    ['column', 'parameter', 'constant'].includes(block.kind)
      ? []
      : block.outputs
          .filter(({ element, sizes }) => element === 'real' && (ofArrays.has(method) || sizes.length === 0))
          .map(({ name }) => (block.outputs.length === 1 ? block.id : `${block.id}.${name}`)),
  );
}

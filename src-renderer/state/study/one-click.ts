/** What each of the buttons after a fit asks for. */
import type { CheckReport } from '../../../src-main/contract/contract.ts';
import type { Plot } from '../../../src-main/contract/plots.ts';
import type { RequestOf } from './studying.svelte.ts';

export const intervalStudy: RequestOf<'uncertainty'> = { kind: 'uncertainty', method: 'profile' };

/** At its optimum the objective has no slope: what is worth ranking by is the prediction. */
export function rankingStudy(plots: readonly Plot[]): RequestOf<'sensitivity'> {
  const of = plots.map(({ prediction }) => prediction).find((prediction) => prediction !== null);
  return { kind: 'sensitivity', method: 'local', ...(of !== undefined && of !== null && { of }) };
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

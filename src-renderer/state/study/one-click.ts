/** What each of the buttons after a fit asks for. */
import type { SensitivityFacts } from '../../../models/facts/method.ts';
import { sensitivityFacts, type SensitivityMethod } from '../../../models/facts/methods.ts';
import type { CheckReport } from '../../../src-main/contract/contract.ts';
import type { Plot } from '../../../src-main/contract/plots.ts';
import type { RequestOf } from './studying.svelte.ts';

export const intervalStudy: RequestOf<'uncertainty'> = { kind: 'uncertainty', method: 'profile' };

/** At its optimum the objective has no slope: what is worth ranking by is the prediction. */
export function rankingStudy(plots: readonly Plot[]): RequestOf<'sensitivity'> {
  const of = plots.map(({ prediction }) => prediction).find((prediction) => prediction !== null);
  return { kind: 'sensitivity', method: 'local', ...(of !== undefined && of !== null && { of }) };
}

/** What a method can study. The objective itself has no name here. */
export function subjectsFor(method: SensitivityMethod, report: CheckReport | undefined): string[] {
  const { ofArrays }: SensitivityFacts = sensitivityFacts[method];
  return (report?.blocks ?? []).flatMap((block) =>
    ['column', 'parameter', 'constant'].includes(block.kind)
      ? []
      : block.outputs
          .filter(({ element, sizes }) => element === 'real' && (ofArrays || sizes.length === 0))
          .map(({ name }) => (block.outputs.length === 1 ? block.id : `${block.id}.${name}`)),
  );
}

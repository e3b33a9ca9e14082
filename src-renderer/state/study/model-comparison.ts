/** What a comparison of models says: their order, the tests between them, and one sentence. */
import { elpdLooFact } from '../../../models/facts/figures.ts';
import type { ComparisonReport } from '../../../src-main/contract/studies.ts';
import { formatNumber } from '../words/number-format.ts';

export type ComparedModel = ComparisonReport['models'][number];

/** The best first; what is not ranked last. */
export function byDelta(models: readonly ComparedModel[]): ComparedModel[] {
  const order = ({ delta }: ComparedModel) => (Number.isNaN(delta) ? Infinity : delta);
  return [...models].sort((a, b) => order(a) - order(b));
}

/** `a case of Model 2: F, p = 0.34`, one for each model that has this one as a case. */
export function testsOf(report: ComparisonReport, name: string): string[] {
  return report.nested
    .filter(({ small }) => small === name)
    .map(({ large, test, p }) => `a case of ${large}: ${test === 'F' ? 'F' : 'LR'}, p = ${pText(p)}`);
}

/** Of each model without leave-one-out prediction, why. */
export function unpredicted({ models }: ComparisonReport): string[] {
  return models.flatMap(({ name, withoutLoo }) =>
    withoutLoo === undefined ? [] : [`${capital(name)} has no ${elpdLooFact.noun}: ${withoutLoo}.`],
  );
}

/** Beyond it a model has next to no support (Burnham and Anderson). */
const refused = 10;
const doubtful = 0.05;

export function comparisonText(report: ComparisonReport): string {
  const ranked = byDelta(report.models).filter(({ delta, same }) => !Number.isNaN(delta) && same === undefined);
  const [best, second] = ranked;
  if (!best) return 'None of the models can be ranked.';
  if (report.models.every((model) => model === best || model.same !== undefined))
    return 'All are the same model, but for start values.';
  if (!second) return `${capital(best.name)} alone can be ranked.`;
  const lead = `${capital(best.name)} is best, with a weight of ${formatNumber(best.weight, 2)}`;
  const then =
    second.delta < 2
      ? `; ${second.name} is as good (ΔAICc ${formatNumber(second.delta, 2)})`
      : `; next is ${second.name}, ΔAICc ${formatNumber(second.delta, 3)}`;
  const out = ranked.filter(({ delta }) => delta > refused).length;
  const nested = report.nested.find(({ large }) => large === best.name);
  const test = nested
    ? ` What it adds to ${nested.small} ${nested.p < doubtful ? 'is in the data' : 'is not needed by these data'} (p = ${pText(nested.p)}).`
    : '';
  const far = out > 0 ? ` ${out} ${out === 1 ? 'is' : 'are'} refused, more than ${refused} away.` : '';
  return `${lead}${then}.${test}${far}`;
}

const pText = (p: number): string => (p < 1e-3 ? `${Number(p.toPrecision(1))}` : formatNumber(p, 2));
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

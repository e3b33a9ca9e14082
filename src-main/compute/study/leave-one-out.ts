/** Leave-one-out prediction at a fit's end (engine/7-study/leave-one-out.ts), or why a model has none. */
import {
  type Cases,
  cpuDevice,
  dependenceOf,
  type FitProblem,
  type FitResult,
  leaveOneOut,
  orCancelled,
  squaresByCase,
} from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import { objectiveTerms } from '../../../models/load/objective-terms.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import type { UncertaintyReport } from '../../contract/studies.ts';
import { Refused } from '../../refused.ts';
import { measuredBy, type Measured, termsOf } from '../fit/measured.ts';
import { asRefused } from '../running/refusals.ts';
import { observedBlocks, redrawnOf } from './redrawn-data.ts';
import type { StudyContext } from './study-context.ts';

/** Of a fit that has converged; undefined where it was stopped. In 64 bits: what is left out is a small part of a sum. */
export async function leftOut(
  model: Model,
  problem: FitProblem,
  result: FitResult,
  { cancel, onProgress }: Pick<StudyContext, 'cancel' | 'onProgress'>,
): Promise<Pick<UncertaintyReport, 'loo' | 'withoutLoo'> | undefined> {
  const device = cpuDevice();
  try {
    const lacking = lackingOf(model, problem);
    if (lacking !== undefined) return { withoutLoo: lacking };
    const cases = await casesOf(model, problem);
    if ('lacking' in cases) return { withoutLoo: cases.lacking };
    const found = await orCancelled(() =>
      leaveOneOut(problem, result, cases, device, {
        cancel,
        onProgress: (share) => onProgress?.('leaving out one by one', share),
      }),
    );
    if (!found) return undefined;
    return 'lacking' in found ? { withoutLoo: found.lacking } : { loo: { ...found } };
  } catch (error) {
    // Derivatives that there is no room for, or that something has none of.
    const refused = asRefused(error);
    if (refused instanceof Refused) return { withoutLoo: refused.message };
    throw refused;
  } finally {
    device.close();
  }
}

/** A clause. */
function lackingOf(model: Model, problem: FitProblem): string | undefined {
  const terms = objectiveTerms(model.blocks, model.objective);
  if (problem.effects)
    return 'its random effects are integrated out, and observations of one group are not independent';
  const scalar = terms.find(({ kind }) => kind === 'scalar');
  if (scalar) return `"${scalar.block}" is no sum over observations`;
  const robust = terms.find(({ robust: is }) => is);
  if (robust) return `the robust loss of "${robust.block}" is no density`;
  const estimated = terms.filter(({ noise }) => noise === 'estimated');
  if (estimated.length > 0 && (estimated.length < terms.length || problem.energy !== problem.objective))
    return `beside other terms or priors the noise of "${estimated[0]!.block}" wants to be a parameter: a likelihood of the family "normal"`;
  return mixedRows(model);
}

/**
 * A prediction that is made of what was observed in other rows (a series that looks back at itself) still holds what was left
 * out. A weight or a sigma may be.
 */
function mixedRows(model: Model): string | undefined {
  for (const { id, block } of termsOf(model)) {
    const links = model.blocks.get(id)!.links;
    const observed = links.get('observed');
    if (!observed) continue;
    const about = [...links].filter(([port]) => !port.startsWith('observed') && port !== 'weights' && port !== 'sigma');
    const { program } = lowerModel(model, { links: new Map([['observed', observed], ...about]) });
    const tracked = new Set(
      program.parameters.flatMap(({ name, value }) => (value.type.shape.length === 1 ? [name] : [])),
    );
    const of = dependenceOf(program, tracked);
    const valueOf = (name: string) => program.results.find((result) => result.name === name)!.value;
    const { along, whole } = of(valueOf('observed'));
    const data = new Set([...whole, ...along.flatMap(({ inputs }) => [...inputs])]);
    const mixed = about.find(([port]) => [...of(valueOf(port)).whole].some((input) => data.has(input)));
    if (mixed) return `"${mixed[0]}" of the ${block.kind} block "${id}" is made of what other rows have observed`;
  }
  return undefined;
}

async function casesOf(model: Model, problem: FitProblem): Promise<Cases | { readonly lacking: string }> {
  const measured = await measuredBy(model);
  const isData = new Set(observedBlocks(model));
  const isSquares = problem.residuals.length > 0 && !problem.sigmaKnown;
  const rows: number[] = [];
  const logWeights: number[] = [];
  let start = 0;
  for (const { id, block } of termsOf(model)) {
    const ports = measured.get(id) ?? new Map<string, Measured>();
    const observed = ports.get('observed')?.values ?? new Float64Array();
    const length = [...ports.values()].reduce((most, { values }) => Math.max(most, values.length), 1);
    if (observed.length !== length) return { lacking: `one observation of "${id}" stands for several rows` };
    const weights = 'weights' in block ? (ports.get('weights')?.values ?? [Number(block.weights)]) : [1];
    for (let row = 0; row < length && isData.has(id); row++) {
      const weight = weights[weights.length === 1 ? 0 : row]!;
      if (Number.isNaN(observed[row]) || weight === 0) continue;
      rows.push(start + row);
      logWeights.push(Math.log(weight));
    }
    start += length;
  }
  if (isSquares) return { ...squaresByCase(problem), rows, logWeights };
  const redrawn = redrawnOf(model, 'cases');
  if (!redrawn) return { lacking: 'it is no sum over observations' };
  const { program, data, sizes, result, terms } = redrawn;
  return { program, data, sizes, result, inputs: terms.map(({ input }) => input), rows };
}

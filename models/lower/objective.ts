/**
 * What a fit minimises. `objective` is the sum of the objective blocks. `posterior` adds −log p of the priors to the
 * −log likelihood that the terms stand for:
 *
 *   least squares with sigma   ½ Σ (r/σ)² + Σ log σ + (m/2) log 2π
 *   least squares without      (m/2) log SSR, σ marginalised, over all such terms together
 *   likelihood                 itself
 *
 * with m the number of observed elements.
 */
import type { Named, Value } from '../../engine/0-ir/program.ts';
import { realLiteral } from '../../engine/0-ir/scalar.ts';
import { kindOf } from '../blocks/index.ts';
import type { LeastSquaresBlock } from '../blocks/least-squares.ts';
import type { ParameterInfo } from '../blocks/parameter.ts';
import type { Model } from '../load/model.ts';
import { minusLogPrior, type PriorDensity } from '../objective/priors.ts';
import { sumAll } from '../objective/sums.ts';
import type { LoweredTerm } from '../objective/term.ts';
import type { Lowering } from './lower.ts';

export interface ObjectiveTerm {
  readonly block: string;
  /** `scalar` is any other block that the objective names. */
  readonly kind: 'least-squares' | 'likelihood' | 'scalar';
  /** `estimated`: least squares without sigma. */
  readonly noise: 'known' | 'estimated';
  readonly robust: boolean;
}

interface Part {
  readonly term: ObjectiveTerm;
  readonly value: Value;
  readonly lowered: LoweredTerm | undefined;
}

export function lowerObjective(
  model: Model,
  lowering: Lowering,
  mode: 'value' | 'residuals',
  priors: readonly ParameterInfo[],
): { readonly results: Named[]; readonly terms: ObjectiveTerm[] } {
  const b = lowering.builder;
  const sum = (values: readonly Value[]): Value => values.reduce((total, value) => b.apply('add', total, value));
  const parts = model.objective.map((link): Part => {
    const lowered = lowering.within(link.block, ({ node, detail }, context) =>
      kindOf(node.block).objective?.(node.block, detail, context),
    );
    return { term: termOf(model, link.block), value: lowering.value(link), lowered };
  });
  if (parts.length === 0) return { results: [], terms: [] };
  const results: Named[] = [{ name: 'objective', value: sum(parts.map((part) => part.value)) }];
  if (priors.length > 0) {
    const densities = priors.map((parameter) => priorTerm(lowering, parameter));
    results.push({ name: 'posterior', value: sum([...likelihoodTerms(lowering, parts), ...densities]) });
  }
  if (mode === 'residuals') {
    const rows = parts.flatMap((part) => (part.lowered ? [part.lowered.rows] : []));
    const residuals = parts.map((part) => part.lowered?.residuals).filter((value) => value !== undefined);
    if (residuals.length === parts.length)
      results.push({
        name: 'residuals',
        value: residuals.length === 1 ? (residuals[0] as Value) : b.concatenate(residuals, 0),
      });
    if (rows.length > 0) results.push({ name: 'rows', value: sum(rows) });
  }
  return { results, terms: parts.map((part) => part.term) };
}

function termOf(model: Model, id: string): ObjectiveTerm {
  const block = model.blocks.get(id)?.node.block;
  if (block?.kind === 'likelihood') return { block: id, kind: 'likelihood', noise: 'known', robust: false };
  if (block?.kind !== 'least-squares') return { block: id, kind: 'scalar', noise: 'known', robust: false };
  const { sigma, loss }: LeastSquaresBlock = block;
  return {
    block: id,
    kind: 'least-squares',
    noise: sigma === undefined ? 'estimated' : 'known',
    robust: loss !== undefined,
  };
}

function likelihoodTerms(lowering: Lowering, parts: readonly Part[]): Value[] {
  const b = lowering.builder;
  const known = parts.flatMap(({ term, value, lowered }) =>
    term.noise === 'known' ? [lowered?.minusLog ?? value] : [],
  );
  const estimated = parts.filter((part) => part.term.noise === 'estimated');
  if (estimated.length === 0) return known;
  const add = (values: readonly Value[]): Value => values.reduce((total, value) => b.apply('add', total, value));
  const squares = add(estimated.map((part) => part.value));
  const rows = add(estimated.flatMap((part) => (part.lowered ? [part.lowered.rows] : [])));
  const marginal = b.elementwise([squares, rows], (s, ssr, m) =>
    s.apply('mul', s.apply('mul', realLiteral(0.5), m), s.apply('log', ssr)),
  );
  return [...known, marginal];
}

/** −log p of all elements of a parameter. */
function priorTerm(lowering: Lowering, parameter: ParameterInfo): Value {
  const b = lowering.builder;
  return lowering.within(parameter.id, () => {
    const value = lowering.value({ block: parameter.id, output: 0 });
    return sumAll(
      b,
      b.elementwise([value], (s, x) => minusLogPrior(s, parameter.prior as PriorDensity, x)),
    );
  });
}

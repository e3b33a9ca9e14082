/** Quantities by replicates and draws: q of each of them, their quantiles, and what is said where some have no value. */
import { Cancelled } from '../../0-ir/errors.ts';
import type { Device } from '../../5-runtime/device.ts';
import { coordinates } from '../../6-fit/coordinates.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import { sortedQuantile } from '../../6-fit/ensembles/random.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { mixingOf, momentsOf, monteCarloErrors } from '../chains/diagnostics.ts';
import { hasNoSpread, NO_SPREAD } from './bootstrap.ts';
import { stretched, type Fitted } from './fitted.ts';
import type { MethodOptions, MethodResult } from './problem.ts';
import {
  constantOf,
  intervalOf,
  linearised,
  withNote,
  type AtFit,
  type QuantityInterval,
  type QuantityModel,
} from './quantity-interval.ts';
import { asked } from './slopes.ts';

export async function drawn(
  fitted: Fitted,
  model: QuantityModel,
  known: readonly AtFit[],
  { draws, values }: MethodResult,
  device: Device,
  { level, reach, cancel }: Pick<MethodOptions, 'level' | 'cancel'> & { readonly reach: number },
): Promise<QuantityInterval[]> {
  const chains = draws?.[0]?.length ?? 0;
  const each = draws?.[0]?.[0]?.length ?? 0;
  const problem = asked(fitted, model);
  const read = coordinates(problem.parameters).map(({ parameter, element }) =>
    fitted.all.findIndex((other) => other.parameter.name === parameter.name && other.element === element),
  );
  const points = Float64Array.from({ length: chains * each * read.length }, (_, i) => {
    const member = Math.floor(i / read.length);
    return draws?.[read[i % read.length]!]?.[Math.floor(member / each)]?.[member % each] ?? NaN;
  });
  // Ends are of draws that are stretched as the parameters' own are: what rises with a parameter has those made of its ends.
  const further = read.map((j) => stretched(fitted, j, reach));
  const farther = points.map((value, i) => (further[i % read.length] as (value: number) => number)(value));
  const ensemble = await createEnsemble(device, problem);
  const valuesAt = async (each: Float64Array) => (await ensemble.evaluate(each)).values;
  const both = async () => {
    const found = await valuesAt(points);
    return { found, far: reach === 1 ? found : await valuesAt(farther) };
  };
  const { found, far } = await both().finally(() => ensemble.release());
  return known.map((at): QuantityInterval => {
    if (isCancelled(cancel)) throw new Cancelled();
    const whole = found.get(at.quantity)!;
    const width = whole.length / Math.max(1, chains * each);
    const seriesOf = (values: Float64Array): Float64Array<ArrayBuffer>[] =>
      Array.from({ length: chains }, (_, c) =>
        Float64Array.from({ length: each }, (__, k) => values[(c * each + k) * width + at.element]!),
      );
    const sortedOf = (all: readonly Float64Array[]): Float64Array =>
      Float64Array.from(all.flatMap((chain) => [...chain].filter((value) => !Number.isNaN(value)))).sort();
    const series = seriesOf(whole);
    const sorted = sortedOf(series);
    const ends = reach === 1 ? sorted : sortedOf(seriesOf(far.get(at.quantity)!));
    const isFixed = chains === 1 && hasNoSpread(sorted);
    // What neither slopes nor replicates move is one number: the diagonal of a correlation.
    if (at.constant || (isFixed && at.standardError === 0)) return constantOf(at);
    // Replicates have other groups, or others' effects: what these groups are is not drawn.
    if (at.ofEffects && chains === 1)
      return withNote(linearised(fitted, at, level), 'by the covariance, for replicates draw other effects');
    const isFlat = at.flat !== undefined && at.loose?.length === 0;
    // Replicates of what the data do not determine stay near the start, and say nothing.
    const undetermined = chains === 1 && Number.isNaN(at.standardError) && at.held === undefined && !isFlat;
    const missing = 1 - ends.length / Math.max(1, chains * each);
    const none = `it has no value in ${Number((100 * missing).toPrecision(2))} % of the ${values ? 'draws' : 'replicates'}`;
    const why =
      at.why ??
      (undetermined ? undefined : missing > (1 - level) / 2 ? none : isFixed ? NO_SPREAD : 'there are too few draws');
    if (at.why !== undefined || undetermined || isFixed || sorted.length < 2 || missing > (1 - level) / 2)
      return intervalOf({ ...at, lower: NaN, upper: NaN, standardError: NaN, why });
    const { mean, deviation } = momentsOf(series.map((chain) => chain.filter((value) => !Number.isNaN(value))));
    const median = sortedQuantile(sorted, 0.5);
    // Those without a value may lie beyond either end.
    const tail = (1 - level) / 2 - missing;
    const share = tail / (1 - missing);
    const interval = intervalOf({
      ...{ quantity: at.quantity, element: at.element },
      value: values ? median : at.value,
      lower: sortedQuantile(ends, share),
      upper: sortedQuantile(ends, 1 - share),
      standardError: deviation,
      figures: chains === 1 ? { bias: mean - at.value } : { mean, median, ...errorsOf(series), ...mixingOf(series) },
    });
    const told = missing > 0 ? withNote(interval, none) : interval;
    return { ...told, series };
  });
}

function errorsOf(series: readonly Float64Array[]): Readonly<Record<'mcseMean' | 'mcseStandardDeviation', number>> {
  const { mean, standardDeviation } = monteCarloErrors(series);
  return { mcseMean: mean, mcseStandardDeviation: standardDeviation };
}

/** Quantities where a fit has ended: their values, gradients and errors, and what makes one undetermined. */
import { sizeProduct, sizeValue } from '../../0-ir/sizes.ts';
import type { Device } from '../../5-runtime/device.ts';
import { coordinateSlopes, knownName } from '../../6-fit/coordinates.ts';
import type { FitParameter } from '../../6-fit/problem.ts';
import { listed } from '../../6-fit/report/verdict.ts';
import { slopesByElement, tiesAmong } from '../../6-fit/ties.ts';
import { bandsOf } from './bands.ts';
import { varianceAlong } from './covariance.ts';
import type { Directions } from './directions.ts';
import { criticalValue, type Fitted, type Spread, type StoredFit } from './fitted.ts';
import type { AtFit, QuantityModel } from './quantity-interval.ts';
import { flatAtFit } from './quantity-moves.ts';
import { linesOf, slopesFrom } from './slopes.ts';

export async function atFit(
  fitted: Fitted<StoredFit>,
  model: QuantityModel,
  spread: Spread,
  directions: Directions | undefined,
  device: Device,
): Promise<AtFit[]> {
  const lines = await linesOf(fitted, model, device);
  const atPoint = async () => {
    const slopes = await slopesFrom(fitted, lines);
    return { ...slopes, flats: await flatAtFit(fitted, model, slopes, lines) };
  };
  const { values, gradients, flats } = await atPoint().finally(lines.release);
  const elements = elementsOf(model, values.length);
  const free = new Set(fitted.all.map(({ parameter }) => parameter.name));
  const drawn = await ofEffects(fitted, model, { spread, directions }, device);
  return elements.map(({ quantity, element }, row): AtFit => {
    const gradient = gradients[row]!;
    const unread = model.unread.get(quantity) ?? [];
    const exact = fitted.exact && { exact: true as const };
    const known = { quantity, element, value: values[row]!, gradient, ...exact };
    if (unread.length > 0)
      return {
        ...known,
        standardError: NaN,
        why: `it depends on ${unread.join(', ')}, which the objective does not read`,
      };
    const told = drawn?.get(quantity);
    const reads = model.reads.get(quantity);
    if (told && reads && readsEffects(fitted, reads))
      return { ...known, value: told.values[element]!, standardError: told.errors[element]!, ofEffects: true };
    if (reads && ![...reads].some((name) => free.has(name))) return { ...known, standardError: 0, constant: true };
    if (!Number.isFinite(values[row]))
      return {
        ...{ ...known, standardError: NaN },
        why: Number.isNaN(values[row]) ? 'it has no value where the fit ended' : 'it is infinite where the fit ended',
      };
    if (fitted.noVariance !== undefined) return { ...known, standardError: NaN, why: fitted.noVariance };
    const flat = flats[row];
    const across = acrossTies(fitted, withoutEdges(fitted, gradient), quantity);
    const { felt, tied = undefined } = flat ? { felt: withoutEdges(fitted, flat.moves) } : across;
    const alone = varianceAlong(felt, spread);
    const along = Number.isNaN(alone.square) ? directions?.variance(felt) : undefined;
    const { square, unit } = along ?? alone;
    const standardError = unit * Math.sqrt(square);
    const loose = fitted.names.filter((_, j) => felt[j] !== 0 && Number.isNaN(spread.errors[j]));
    const held = loose.length > 0 && loose.every((name) => isAtBound(fitted, name));
    const seen = along !== undefined && Number.isFinite(along.square);
    const ownEdge = seen ? undefined : (edgeOf(fitted, felt) ?? edgeWithoutSlope(fitted, felt, reads));
    const edge = held ? fitted.all[fitted.names.indexOf(loose[0]!)]?.parameter.edge : ownEdge;
    const ties = held ? tiesAmong(fitted.all, (j) => loose.includes(fitted.names[j]!)) : [];
    const named = [...new Set(loose.map((name) => knownName(fitted.all[fitted.names.indexOf(name)]!)))];
    const at = ties.length > 0 ? ties.join('; ') : `${listed(named)} is at a bound`;
    const where = edge === undefined ? at : `it is at ${edge}`;
    return {
      // Of what has no slope it is known what moves it, and not how far it goes.
      ...{
        ...known,
        gradient: flat ? gradient : felt,
        standardError: flat || edge ? NaN : standardError,
        loose: named,
        flat,
      },
      ...(tied !== undefined && { tied }),
      ...((held || edge) && { held: where }),
      ...(edge && { atEdge: true }),
    };
  });
}

/**
 * What is tied is one, and has the errors of one: of an element the distances below it that are held at 0 say nothing. What is made of
 * such distances alone is left as it is, and has none. `tied`: what of it is read. A parameter that lies beyond another which is at its
 * own bound has the error that it has there.
 */
function acrossTies(
  fitted: Fitted<StoredFit>,
  gradient: Float64Array,
  quantity: string,
): { readonly felt: Float64Array; readonly tied?: string } {
  const { all, names } = fitted;
  const isTie = all.map(({ parameter }, j) => parameter.ascending === true && isAtBound(fitted, names[j]!));
  const isParameter = all.some(({ parameter }) => parameter.name === quantity);
  const isOthers = ({ name, gap }: FitParameter): boolean => gap === true && isParameter && name !== quantity;
  const isHeld = all.map(({ parameter }, j) => isTie[j]! || (isOthers(parameter) && isAtBound(fitted, names[j]!)));
  const felt = gradient.map((slope, j) => (isHeld[j] ? 0 : slope));
  if (!isHeld.includes(true) || felt.every((slope) => slope === 0)) return { felt: gradient };
  const byElement = slopesByElement(all, gradient);
  const largest = byElement.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
  const isRead = (j: number): boolean => Math.abs(byElement[j]!) > NOTHING * largest;
  // Of a run it may be the first or the last that is read.
  const reads = (j: number): boolean => {
    let [from, to] = [j - 1, j];
    while (isTie[from]) from--;
    while (isTie[to + 1]) to++;
    return byElement.subarray(from, to + 1).some((_, k) => isRead(from + k));
  };
  const tied = tiesAmong(all, (j) => isTie[j]! && reads(j));
  return { felt, ...(tied.length > 0 && { tied: tied.join('; ') }) };
}

/** By what has come to its edge, where a share is 0, other shares do not change but by rounding. */
function withoutEdges(fitted: Fitted<StoredFit>, gradient: Float64Array): Float64Array {
  const largest = gradient.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
  return gradient.map((slope, j) => {
    const hasEdge = fitted.all[j]?.parameter.edge !== undefined && isAtBound(fitted, fitted.names[j]!);
    return hasEdge && Math.abs(slope) < NOTHING * largest ? 0 : slope;
  });
}

/** Of the way to where free numbers end: beyond, the likelihood curves by next to nothing, and its errors are those of rounding. */
const NEAR_END = 0.5;

/** The edge by which alone a quantity moves, to rounding: how far, its slope there does not tell. */
function edgeOf({ all, point, errors }: Fitted<StoredFit>, gradient: Float64Array): string | undefined {
  const moves = gradient.map((slope, j) => Math.abs(slope * coordinateSlopes(all[j]!, point[j]!)[0]));
  const most = moves.indexOf(Math.max(...moves));
  const { parameter, upper } = all[most]!;
  const isThere = moves[most]! > 0 && Math.abs(point[most]!) > NEAR_END * upper && !(errors[most]! < upper);
  return isThere ? parameter.edge : undefined;
}

/** The edge at which the shares have come of which a quantity is made, where no slope is left: of one that is all there is. */
function edgeWithoutSlope(
  fitted: Fitted<StoredFit>,
  gradient: Float64Array,
  reads: ReadonlySet<string> | undefined,
): string | undefined {
  if (gradient.some((slope) => slope !== 0)) return undefined;
  return fitted.all.find(
    ({ parameter: { name, edge, words } }, j) =>
      edge !== undefined && !words && reads?.has(name) && isAtBound(fitted, fitted.names[j]!),
  )?.parameter.edge;
}

/** Of a slope beside others. */
const NOTHING = 1e-12;

const isAtBound = ({ result }: Fitted<StoredFit>, parameter: string): boolean =>
  result.estimates.some(({ name, atBound }) => name === parameter && atBound !== undefined);

/**
 * Quantities of random effects that are integrated out: at their modes, which move with the parameters and about which the
 * effects vary (bands.ts). Undefined where none is read.
 */
async function ofEffects(
  fitted: Fitted<StoredFit>,
  model: QuantityModel,
  known: { readonly spread: Spread; readonly directions: Directions | undefined },
  device: Device,
): Promise<
  ReadonlyMap<string, { readonly values: readonly number[]; readonly errors: readonly number[] }> | undefined
> {
  const read = new Set(model.program.parameters.map(({ name }) => name));
  if (!readsEffects(fitted, read)) return undefined;
  const level = 0.95;
  const quantile = criticalValue(fitted, level);
  const bands = await bandsOf(fitted, known, model, level, device);
  return new Map(
    bands.map(({ output, value, upper, held }) => [
      output,
      {
        values: value,
        errors: upper.map((end, i) => (held.length > 0 ? NaN : (end - value[i]!) / quantile)),
      },
    ]),
  );
}

export const readsEffects = ({ problem }: Fitted<StoredFit>, read: ReadonlySet<string>): boolean =>
  (problem.effects ?? []).some(({ effects }) => effects.some((name) => read.has(name)));

/** Scalars are given as results of one number, arrays as results of several: all results have their share of the rows. */
function elementsOf({ program, sizes }: QuantityModel, rows: number): { quantity: string; element: number }[] {
  const found = program.results.flatMap(({ name, value }) =>
    Array.from({ length: sizeValue(sizeProduct(value.type.shape), sizes) }, (_, element) => ({
      quantity: name,
      element,
    })),
  );
  if (found.length !== rows) throw new Error(`${rows} rows of quantities, and ${found.length} elements`);
  return found;
}

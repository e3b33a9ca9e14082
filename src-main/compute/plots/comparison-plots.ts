/** A comparison of a prediction with data, computed: its points and the curve between them by group, and its residuals. */
import type { Curve, Drawing } from '../../../models/plots/drawing.ts';
import { shownRows } from '../../../models/plots/shown-rows.ts';
import { hasPlace, type ScaleName } from '../../../models/notation/scales.ts';
import type { Limited } from '../../../models/objective/limited.ts';
import type { Plot, PlotGroup } from '../../contract/plots.ts';
import { argumentsOf, limitedAt, type Arguments, type Read } from './arguments.ts';
import { bandAt, beyond, type Leveled, type Place } from './band-ends.ts';
import { meansOf } from './means.ts';
import { leftOut, pointsOf, residualPoints, rowsOf, seenIn } from './points.ts';

/** Along a curve an argument of the measure. */
export type Along = (argument: number) => ArrayLike<number> | undefined;

export interface Known {
  /** At the rows. */
  readonly read: Read;
  /** Along the curve, and along that of the population. */
  readonly dense: Along | undefined;
  readonly population: Along | undefined;
  readonly band: Leveled | undefined;
}

export function comparisonPlots(drawing: Drawing, known: Known, thinned: boolean): Plot[] {
  const { comparison, x, y, kind, edges, table } = drawing;
  const observed = known.read('observed');
  const shown = Int32Array.from(thinned ? shownRows(observed) : Array.from(observed, (_, row) => row));
  const given = argumentsOf(drawing, known.read);
  const limited = limitedAt(drawing, known.read);
  const rows = rowsOf(drawing, { observed, shown }, { ...given, limitedAt: limited });
  const { measure } = comparison;
  const at = measure.arguments.indexOf(measure.prediction);
  const left = leftOut(drawing);
  const labels = [...drawing.groups.labels, ...(drawing.excluded?.labels ?? [])];
  const isPart = shown.length < observed.length;
  const isLimited = comparison.limits.length > 0;
  const wholes = isPart ? wholesOf(drawing, observed, y.scale, isLimited ? limited : undefined) : undefined;
  const groups = labels.map((key, group): PlotGroup => {
    const seen = seenIn(rows, group);
    const points = pointsOf(rows, seen, left[group]!);
    const whole = wholes && { whole: wholes[group] ?? nothing };
    if (drawing.curve && group < drawing.groups.labels.length)
      return { key, points, ...whole, ...curvesOf(drawing, drawing.curve, { ...known, given, group }) };
    const places = seen.map((i): Place => ({
      x: rows.x[i]!,
      element: rows.at[i]!,
      values: given.valuesAt(rows.at[i]!),
    }));
    const inside = known.band && bandAt(measure, at, places, known.band);
    return { key, points, ...whole, ...(inside && { band: beyond(inside, left[group]!.x.length) }) };
  });
  const { by } = drawing.groups;
  const shared = {
    of: comparison.of,
    x,
    prediction: comparison.prediction?.block.includes('/') ? null : (drawing.prediction ?? null),
    by: by.length > 0 ? by.join(', ') : null,
    ...(table && { table: table.table }),
  };
  // A title and the division of y are of what was observed.
  const { title: _title, y: _y, errors = 'given', ...plain } = drawing.look ?? {};
  // Of what is known by a limit alone nothing is left.
  const leftWholes = isPart ? wholesOf(drawing, observed, 'linear', isLimited ? limited : undefined) : undefined;
  const residuals = drawing.groups.labels.map((key, group): PlotGroup => {
    const whole = leftWholes?.[group];
    return {
      key,
      points: residualPoints(rows, group),
      ...(whole && { whole: { ...whole, points: whole.points - whole.censored, censored: 0 } }),
    };
  });
  return [
    {
      ...{
        ...shared,
        kind,
        y,
        ...(edges && { edges: Array.from(edges) }),
        ...(drawing.look && { look: drawing.look }),
      },
      groups: groups.map((group) => withErrors(group, errors)),
    },
    {
      ...{ ...shared, kind: 'residuals', groups: residuals, ...(drawing.look && { look: plain }) },
      y: { id: null, label: measure.residual, unit: '', scale: 'linear' },
    },
  ];
}

const nothing = { points: 0, censored: 0, unplaced: 0 };

/** What each group has that is drawn in part: how many rows have a value on both axes, and what has no place as they are divided. */
function wholesOf(
  { groups, values, x }: Drawing,
  observed: ArrayLike<number>,
  scale: ScaleName,
  limitedIn: ((row: number, y: number) => Limited | undefined) | undefined,
): NonNullable<PlotGroup['whole']>[] {
  const wholes = groups.labels.map(() => ({ ...nothing }));
  for (let row = 0; row < observed.length; row++) {
    const limited = limitedIn?.(row, observed[row]!);
    const at = limited?.at ?? observed[row]!;
    if (!Number.isFinite(values[row]) || !Number.isFinite(at)) continue;
    const whole = wholes[groups.of[row]!]!;
    whole.points++;
    if (limited) whole.censored++;
    if (!hasPlace(x.scale, values[row]!) || !hasPlace(scale, at)) whole.unplaced++;
  }
  return wholes;
}

/** With the error bars that the document asks for: around points as known, none, or of replicates around their mean. */
function withErrors(group: PlotGroup, errors: 'given' | 'none' | 'sd' | 'sem'): PlotGroup {
  if (errors === 'given') return group;
  const { error: _, ...points } = group.points;
  return { ...group, points, ...(errors !== 'none' && { means: meansOf(points, errors) }) };
}

interface InGroup extends Known {
  readonly given: Arguments;
  readonly group: number;
}

/** Of one group: its curve, that of the population, and the band along it. */
function curvesOf(
  { comparison: { measure }, alone }: Drawing,
  { grid, elements }: Curve,
  { given: { columns, isList }, group, dense, population, band }: InGroup,
): Pick<PlotGroup, 'curve' | 'population' | 'band'> {
  const list = columns.flatMap((column, j) => (isList(j) ? Array.from(column) : []));
  const single = columns.flatMap((column, j) => (isList(j) ? [] : [{ j, column }]));
  // An argument is known along the curve, or the same for all rows, or what a new observation has.
  const valuesAlong = (along: Along | undefined): ((element: number) => number[]) => {
    const known = single.map(({ j, column }) => ({
      along: along?.(j),
      else: (alone[j] ? column[0] : measure.usual?.[j]) ?? NaN,
    }));
    // A slider asks it of every point at every move.
    return (element) => {
      const values: number[] = [];
      for (const argument of known) values.push(argument.along?.[element] ?? argument.else);
      return list.length > 0 ? values.concat(list) : values;
    };
  };
  const placesOf = (along: Along | undefined): readonly Place[] => {
    const valuesAt = valuesAlong(along);
    const all = Array.from(grid, (x, i): Place => {
      const element = elements[group * grid.length + i]!;
      return { x, element, values: valuesAt(element) };
    });
    return withoutEnds(all, ({ values }) => Number.isFinite(measure.expected(...values)));
  };
  const lineOf = (places: readonly Place[]) => ({
    x: places.map((place) => place.x),
    y: places.map(({ values }) => measure.expected(...values)),
  });
  const places = placesOf(dense);
  const around = band && bandAt(measure, measure.arguments.indexOf(measure.prediction), places, band);
  return {
    ...(places.length > 0 && { curve: lineOf(places) }),
    ...(population && { population: lineOf(placesOf(population)) }),
    ...(around && { band: around }),
  };
}

/** From the first of which it holds to the last: what is undefined between them is a gap. */
function withoutEnds<T>(all: readonly T[], holds: (entry: T) => boolean): readonly T[] {
  return all.slice(Math.max(0, all.findIndex(holds)), all.findLastIndex(holds) + 1);
}

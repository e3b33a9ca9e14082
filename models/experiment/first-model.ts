/**
 * The first model of a table, as a document: its readings in long form, the shape as a map over parameters, and what it
 * misses. In groups a parameter is one for all, or has an element for every label, gathered row by row.
 */
import { asId, isReservedName } from '../formula/names.ts';
import type { ShapeParameter } from '../library/shape.ts';
import { scaleOfX, scaleOfY } from './axis-scales.ts';
import { censoredName, marksOf, median, type Candidate } from './candidates.ts';
import type { Quantity, Readings } from './readings.ts';
import type { Own } from './sharing.ts';
import { namesOf, renamed, unitIn, unitsOf } from './written.ts';

export type PlainBlock = Record<string, unknown> & { readonly id: string; readonly kind: string };

export interface FirstModel {
  readonly document: Readonly<Record<string, unknown>>;
  /** Of each of the shape's parameters, its block. */
  readonly parameters: ReadonlyMap<string, string>;
  /** What is predicted, and what is minimised. */
  readonly prediction: string;
}

/** A parameter's value, or one for each group. */
export type Values = ReadonlyMap<string, readonly number[]>;

/** Digits of a start value. */
const digits = 4;

/** `values` in place of the start values, as a fit has found them. */
export function firstModel(
  name: string,
  readings: Readings,
  candidate: Candidate,
  own: Own,
  values?: Values,
  /** Of those that are each group's own, those that scatter about a value of all. */
  hierarchical: Own = new Set(),
): FirstModel {
  const maker = createMaker();
  const table = tableOf(readings);
  const ids = addColumns(maker, readings, table.names);
  const { shape } = candidate;
  const parameters = new Map<string, string>();
  const inputs: Record<string, string> = {};
  const units = unitsOf(readings);
  const effects = ids.group === undefined ? undefined : addEffects(maker, ids.group, candidate, hierarchical, values);
  for (const [each, parameter] of Object.entries(shape.parameters)) {
    const scatters = effects !== undefined && hierarchical.has(each);
    const isOwn = own.has(each) && ids.group !== undefined && !scatters;
    const unit = unitIn(parameter.unit, units);
    const id = maker.add(each, {
      ...{
        kind: 'parameter',
        initial: initialOf(
          each,
          parameter,
          candidate,
          isOwn,
          scatters ? typical(parameter, values?.get(each)) : values?.get(each),
        ),
      },
      ...(isOwn && { like: ids.group }),
      ...(parameter.lower !== undefined && { lower: parameter.lower }),
      ...(parameter.upper !== undefined && { upper: parameter.upper }),
      ...(parameter.positive && { scale: 'log' }),
      ...{ ...(unit !== '' && { unit }), note: sentence(parameter.meaning) },
    });
    parameters.set(each, id);
    const used = scatters
      ? addScattered(maker, id, `${effects}.${each}`, ids.group!, parameter)
      : isOwn
        ? maker.add(`${id}_row`, { kind: 'gather', from: id, indices: ids.group })
        : id;
    if (used !== each) inputs[each] = used;
  }
  for (const [covariate, role] of Object.entries(shape.covariates ?? {})) {
    const column = role === 'dose' ? ids.dose : role === 'condition' ? ids.condition : ids.censored;
    const used =
      column ?? maker.add('dose', { kind: 'constant', value: 1, note: 'No column has a dose: this is one of it.' });
    if (used !== covariate) inputs[covariate] = used;
  }
  for (const [constant, { meaning, unit: template }] of Object.entries(shape.constants ?? {})) {
    const unit = unitIn(template, units);
    const used = maker.add(constant, {
      ...{ kind: 'constant', value: candidate.constants.get(constant) ?? 0 },
      ...{ ...(unit !== '' && { unit }), note: sentence(meaning) },
    });
    if (used !== constant) inputs[constant] = used;
  }
  const { formula, more } = formulaOf(candidate, ids.x ?? ids.y);
  const wires = { ...inputs, ...more };
  const prediction = maker.add('model', {
    ...{ kind: 'map', formula },
    ...(Object.keys(wires).length > 0 && { inputs: wires }),
    ...(!shape.density && units.y !== '' && { unit: units.y }),
    note: `${shape.title}. ${shape.reference}.`,
  });
  const objective = shape.density
    ? {
        id: maker.add('misfit', {
          ...{ kind: 'likelihood', family: 'density', observed: ids.y, logDensity: prediction },
        }),
      }
    : addMisfit(maker, readings, ids, prediction, candidate, values, effects !== undefined);
  if (objective.sigma !== undefined) parameters.set(noiseName, objective.sigma);
  const document = {
    ...{ format: 'cotangent/1', name, tables: { data: table.entry } },
    ...{ blocks: maker.blocks, objective: objective.id },
    ...lookOf(readings, candidate, objective.id),
  };
  return { document, parameters, prediction };
}

/** The readings in long form and their columns as blocks, and no model of them. */
export function readingsAlone(name: string, readings: Readings): FirstModel['document'] {
  const maker = createMaker();
  const table = tableOf(readings);
  addColumns(maker, readings, table.names);
  return { format: 'cotangent/1', name, tables: { data: table.entry }, blocks: maker.blocks };
}

/** As the shapes beside each other were drawn. */
function lookOf(readings: Readings, { noise }: Candidate, objective: string) {
  const scales = { x: scaleOfX(readings), y: scaleOfY(noise) };
  const logs = Object.entries(scales).flatMap(([axis, scale]) => (scale === 'log' ? [[axis, { scale }]] : []));
  return logs.length > 0 ? { view: { plots: { [objective]: Object.fromEntries(logs) as object } } } : {};
}

/** Effects of the groups, one for each parameter that scatters, with standard deviations as the groups' own values have them. */
function addEffects(
  maker: Maker,
  group: string,
  { shape, starts }: Candidate,
  hierarchical: Own,
  values: Values | undefined,
): string | undefined {
  const names = Object.keys(shape.parameters).filter((name) => hierarchical.has(name));
  if (names.length === 0) return undefined;
  const sd = names.map((name) => {
    const each = values?.get(name) ?? starts.map((start) => start.values.get(name) ?? NaN);
    const found = deviation(each.map((value) => (shape.parameters[name]!.positive ? Math.log(value) : value)));
    return Number((found > 0 ? found : (Math.abs(each[0] ?? 1) || 1) / 10).toPrecision(2));
  });
  return maker.add('between', {
    ...{ kind: 'random-effect', like: group, names, covariance: 'diagonal', sd },
    note: 'How groups differ from the typical one.',
  });
}

/** About the median, as a multiple of the middle of the distances from it: one strange group changes little. */
function deviation(values: readonly number[]): number {
  const known = values.filter(Number.isFinite);
  const centre = median(known);
  return 1.48 * median(known.map((value) => Math.abs(value - centre)));
}

const typical = (_: ShapeParameter, values: readonly number[] | undefined): readonly number[] | undefined =>
  values && [median(values)];

/** The typical value with a group's own deviation, row by row: by factors of what is positive. */
function addScattered(maker: Maker, id: string, effect: string, group: string, { positive }: ShapeParameter): string {
  const deviation = maker.add(`${id}_deviation`, { kind: 'gather', from: effect, indices: group });
  const formula = positive ? `${id}*exp(${deviation})` : `${id} + ${deviation}`;
  return maker.add(`${id}_row`, { kind: 'map', formula });
}

interface Objective {
  readonly id: string;
  /** The parameter that is the noise, where there is one. */
  readonly sigma?: string;
}

/** The noise, among what a fit has found. */
const noiseName = 'noise';

/** Squares; of counts, of noise in proportion, and where readings are known by a limit alone, the likelihood. */
function addMisfit(
  maker: Maker,
  { trials }: Readings,
  ids: ColumnIds,
  prediction: string,
  { starts, noise: scatter }: Candidate,
  values: Values | undefined,
  inEffects: boolean,
): Objective {
  // In per cent of controls, what lies below a limit of the signal may lie above one of the activity.
  const { y: observed, sigma, weight, below, above } = ids;
  if (trials)
    return {
      id: maker.add('misfit', {
        ...{ kind: 'likelihood', family: 'binomial', observed, probability: prediction },
        trials: trials.alone ? 1 : ids.trials,
      }),
    };
  if (scatter === 'counts')
    return { id: maker.add('misfit', { kind: 'likelihood', family: 'poisson', observed, mean: prediction }) };
  const isProportional = scatter === 'proportional';
  if (below === undefined && above === undefined && !inEffects && !isProportional)
    return {
      id: maker.add('misfit', {
        ...{ kind: 'least-squares', prediction, observed },
        ...(sigma !== undefined ? { sigma } : weight !== undefined && { weights: weight }),
      }),
    };
  const rows = starts.reduce((sum, start) => sum + start.rows, 0);
  const spread = Math.sqrt(starts.reduce((sum, { cost }) => sum + cost, 0) / rows);
  const noise =
    sigma === undefined
      ? maker.add('sigma', {
          ...{ kind: 'parameter', initial: Number((values?.get(noiseName)?.[0] ?? spread).toPrecision(digits)) },
          ...{ scale: 'log', note: `Standard deviation of the ${isProportional ? 'logarithm of the ' : ''}readings.` },
        })
      : undefined;
  const each =
    noise !== undefined && weight !== undefined
      ? maker.add('sigma_row', { kind: 'map', formula: `${noise}/sqrt(${weight})` })
      : (noise ?? sigma);
  // Of a log-normal reading the median is the curve.
  const mean = isProportional
    ? maker.add(`log_${prediction}`, { kind: 'map', formula: `log(${prediction})` })
    : prediction;
  const family = isProportional ? 'log-normal' : 'normal';
  const censored = { ...(below !== undefined && { left: below }), ...(above !== undefined && { right: above }) };
  return {
    id: maker.add('misfit', {
      ...{ kind: 'likelihood', family, observed, mean, sigma: each },
      ...((below ?? above) && { censored }),
    }),
    ...(noise !== undefined && { sigma: noise }),
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Makes blocks under ids that are free. */
interface Maker {
  readonly blocks: PlainBlock[];
  add(stem: string, block: Readonly<Record<string, unknown>>): string;
}

function createMaker(): Maker {
  const taken = new Set<string>();
  const blocks: PlainBlock[] = [];
  return {
    blocks,
    add(stem, block) {
      const plain = isReservedName(stem) ? `${stem}_` : stem;
      let id = plain;
      for (let n = 2; taken.has(id); n++) id = `${plain}${n}`;
      taken.add(id);
      blocks.push({ id, ...block } as PlainBlock);
      return id;
    },
  };
}

/** The table's columns by their use, under names that are one of a kind. */
interface TableNames {
  readonly x?: string;
  readonly y: string;
  readonly sigma?: string;
  readonly weight?: string;
  readonly trials?: string;
  readonly below?: string;
  readonly above?: string;
  readonly censored?: string;
  readonly dose?: string;
  readonly condition?: string;
  readonly group?: string;
}

function tableOf(readings: Readings): {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly names: TableNames;
} {
  const columns: [string, (number | string | null)[]][] = [];
  const add = (name: string, cells: (number | string | null)[]): string => {
    let free = name;
    for (let n = 2; columns.some(([taken]) => taken === free); n++) free = `${name} ${n}`;
    columns.push([free, cells]);
    return free;
  };
  const numbers = (column: (Quantity & { readonly values: Float64Array }) | undefined): string | undefined =>
    column &&
    add(
      column.name,
      Array.from(column.values, (value) => (Number.isFinite(value) ? value : null)),
    );
  const { group, replicate, excluded } = readings;
  const marks = marksOf(readings);
  const named = {
    group:
      group &&
      add(
        group.name,
        Array.from(group.of, (g) => group.labels[g] ?? null),
      ),
    dose: numbers(readings.dose),
    condition: numbers(readings.condition),
    x: numbers(readings.x),
    y: numbers(readings.signal)!,
    sigma: numbers(readings.sigma),
    weight: numbers(readings.weight),
    trials: readings.trials?.alone ? undefined : numbers(readings.trials),
    ...(readings.x
      ? { below: numbers(readings.below), above: numbers(readings.above) }
      : { censored: marks && add(censoredName, [...marks]) }),
  };
  if (replicate) add('replicate', [...replicate]);
  const rows = [...excluded].map(([row, why]) => ({ row, why }));
  return {
    entry: { columns: Object.fromEntries(columns), ...(rows.length > 0 && { excluded: rows }) },
    names: Object.fromEntries(Object.entries(named).filter(([, name]) => name !== undefined)) as unknown as TableNames,
  };
}

interface ColumnIds {
  readonly x: string | undefined;
  readonly y: string;
  readonly sigma: string | undefined;
  readonly weight: string | undefined;
  readonly trials: string | undefined;
  readonly below: string | undefined;
  readonly above: string | undefined;
  readonly censored: string | undefined;
  readonly dose: string | undefined;
  readonly condition: string | undefined;
  readonly group: string | undefined;
}

function addColumns(maker: Maker, readings: Readings, names: TableNames): ColumnIds {
  const add = (column: string | undefined, unit: string, type?: 'category'): string | undefined =>
    column === undefined
      ? undefined
      : maker.add(asId(column), {
          ...{ kind: 'column', table: 'data', column },
          ...{ ...(type && { type }), ...(unit !== '' && { unit }) },
        });
  const unitOf = (quantity: Quantity | undefined): string => quantity?.unit ?? '';
  const x = add(names.x, unitOf(readings.x));
  const group = add(names.group, '', 'category');
  const dose = add(names.dose, unitOf(readings.dose));
  const condition = readings.condition && add(names.condition, unitOf(readings.condition));
  const signal = add(names.y, unitOf(readings.signal))!;
  const sigma = add(names.sigma, unitOf(readings.sigma));
  const weight = add(names.weight, '');
  const trials = add(names.trials, '');
  const censored = add(names.censored, '');
  const limits = { below: add(names.below, unitOf(readings.signal)), above: add(names.above, unitOf(readings.signal)) };
  return {
    x,
    group,
    dose,
    condition,
    weight,
    trials,
    censored,
    ...inPerCent(maker, readings, { y: signal, sigma, ...limits }),
  };
}

type Scaled = Pick<ColumnIds, 'y' | 'sigma' | 'below' | 'above'>;

/** y, its σ and its limits as the controls have them. */
function inPerCent(maker: Maker, { controls, signal: { unit } }: Readings, { y, sigma, below, above }: Scaled): Scaled {
  if (!controls) return { y, sigma, below, above };
  const constant = (stem: string, value: number, note: string): string =>
    maker.add(stem, { kind: 'constant', value, ...(unit !== '' && { unit }), note });
  const full = constant('full', controls.full, `Mean of the controls that set 100 %: ${controls.labels}.`);
  const zero = constant('zero', controls.zero, `Mean of the controls that set 0 %: ${controls.labels}.`);
  const percent = { kind: 'map', unit: '%' } as const;
  const scaled = (stem: string, signal: string): string =>
    maker.add(stem, { ...percent, formula: `100*(${signal} - ${zero})/(${full} - ${zero})` });
  // Where the signal falls as activity rises, what lies below a limit of the one lies above that of the other.
  const [least, most] = controls.full > controls.zero ? [below, above] : [above, below];
  return {
    y: scaled('activity', y),
    sigma: sigma && maker.add('activity_error', { ...percent, formula: `100*${sigma}/abs(${full} - ${zero})` }),
    below: least && scaled('activity_below', least),
    above: most && scaled('activity_above', most),
  };
}

/** What was found, else start values: of a parameter that all groups share the median of theirs. */
function initialOf(
  name: string,
  { lower, upper, positive }: ShapeParameter,
  { starts }: Candidate,
  isOwn: boolean,
  found: readonly number[] | undefined,
): number | number[] {
  const each = found ?? starts.map(({ values }) => values.get(name) ?? NaN);
  const inside = (value: number): number => {
    const finite = Number.isFinite(value) ? value : 1;
    const least = positive ? Number.MIN_VALUE : -Infinity;
    const margin = lower !== undefined && upper !== undefined ? 1e-3 * (upper - lower) : 0;
    const bounded = Math.min(Math.max(finite, (lower ?? -Infinity) + margin, least), (upper ?? Infinity) - margin);
    return Number(bounded.toPrecision(digits));
  };
  if (!isOwn) return inside(each.length === 1 ? each[0]! : median(each));
  return each.map(inside);
}

/**
 * The formula over the abscissa's id, counted from where it begins. An id that is a name of the formula already comes in by
 * a wire of its own.
 */
function formulaOf({ shape, origin }: Candidate, x: string): { formula: string; more: Record<string, string> } {
  const clashes = x !== 'x' && namesOf(shape.formula).has(x);
  const used = clashes ? 'x' : x;
  const formula = renamed(shape.formula, new Map([['x', origin === 0 ? used : `(${used} - ${bracketed(origin)})`]]));
  return { formula, more: clashes ? { x } : {} };
}

const bracketed = (value: number): string => (value < 0 ? `(${value})` : String(value));

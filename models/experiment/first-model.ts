/**
 * The first model of a table, as a document: its readings in long form, the shape as a map over parameters, and what it
 * misses. In groups a parameter is one for all, or has an element for every label, gathered row by row.
 */
import { asId, isReservedName } from '../formula/names.ts';
import type { ShapeParameter } from '../library/shape.ts';
import type { Candidate } from './candidates.ts';
import { median } from './candidates.ts';
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
): FirstModel {
  const maker = createMaker();
  const table = tableOf(readings);
  const ids = addColumns(maker, readings, table.names);
  const { shape } = candidate;
  const parameters = new Map<string, string>();
  const inputs: Record<string, string> = {};
  const units = unitsOf(readings);
  for (const [each, parameter] of Object.entries(shape.parameters)) {
    const isOwn = own.has(each) && ids.group !== undefined;
    const unit = unitIn(parameter.unit, units);
    const id = maker.add(each, {
      ...{ kind: 'parameter', initial: initialOf(each, parameter, candidate, isOwn, values?.get(each)) },
      ...(isOwn && { like: ids.group }),
      ...(parameter.lower !== undefined && { lower: parameter.lower }),
      ...(parameter.upper !== undefined && { upper: parameter.upper }),
      ...(parameter.positive && { scale: 'log' }),
      ...{ ...(unit !== '' && { unit }), note: sentence(parameter.meaning) },
    });
    parameters.set(each, id);
    const used = isOwn ? maker.add(`${id}_row`, { kind: 'gather', from: id, indices: ids.group }) : id;
    if (used !== each) inputs[each] = used;
  }
  for (const [covariate, role] of Object.entries(shape.covariates ?? {})) {
    const column = role === 'dose' ? ids.dose : ids.condition;
    const used =
      column ?? maker.add('dose', { kind: 'constant', value: 1, note: 'No column has a dose: this is one of it.' });
    if (used !== covariate) inputs[covariate] = used;
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
    ? addDensity(maker, prediction)
    : maker.add('misfit', {
        ...{ kind: 'least-squares', prediction, observed: ids.y },
        ...(ids.sigma !== undefined ? { sigma: ids.sigma } : ids.weight !== undefined && { weights: ids.weight }),
      });
  const document = {
    ...{ format: 'cotangent/1', name, tables: { data: table.entry } },
    ...{ blocks: maker.blocks, objective },
  };
  return { document, parameters, prediction };
}

/** −log p of all values: what a density is fitted by. */
function addDensity(maker: Maker, density: string): string {
  const surprise = maker.add('surprise', { kind: 'map', formula: `-${density}`, note: '−log p of each value.' });
  return maker.add('misfit', { kind: 'reduce', operator: 'add', values: surprise });
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
  return { x, group, dose, condition, weight, ...inPerCent(maker, readings, signal, sigma) };
}

/** y and its σ as the controls have them. */
function inPerCent(maker: Maker, { controls, signal: { unit } }: Readings, signal: string, sigma: string | undefined) {
  if (!controls) return { y: signal, sigma };
  const constant = (stem: string, value: number, note: string): string =>
    maker.add(stem, { kind: 'constant', value, ...(unit !== '' && { unit }), note });
  const full = constant('full', controls.full, `Mean of the controls that set 100 %: ${controls.labels}.`);
  const zero = constant('zero', controls.zero, `Mean of the controls that set 0 %: ${controls.labels}.`);
  const percent = { kind: 'map', unit: '%' } as const;
  return {
    y: maker.add('activity', { ...percent, formula: `100*(${signal} - ${zero})/(${full} - ${zero})` }),
    sigma: sigma && maker.add('activity_error', { ...percent, formula: `100*${sigma}/abs(${full} - ${zero})` }),
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
function formulaOf(
  { shape, origin, constants }: Candidate,
  x: string,
): { formula: string; more: Record<string, string> } {
  const plain = renamed(shape.formula, new Map([...constants].map(([name, value]) => [name, bracketed(value)])));
  const clashes = x !== 'x' && namesOf(shape.formula).has(x);
  const used = clashes ? 'x' : x;
  const formula = renamed(plain, new Map([['x', origin === 0 ? used : `(${used} - ${bracketed(origin)})`]]));
  return { formula, more: clashes ? { x } : {} };
}

const bracketed = (value: number): string => (value < 0 ? `(${value})` : String(value));

/**
 * An experiment's table in long form: one row for each reading. Replicates that stand side by side become rows of one
 * curve, columns of one curve each become groups; controls leave and set the scale; what cannot be used is named.
 */
import type { ExperimentColumn } from './find-roles.ts';
import { saysNo, type ColumnRole, type Roles } from './roles.ts';

/** Of a table: a row, or one of its readings. */
export interface Dropped {
  readonly row: number;
  readonly column?: string;
  readonly why: string;
}

export interface Quantity {
  readonly name: string;
  readonly unit: string;
}

export interface Readings {
  readonly x: (Quantity & { readonly values: Float64Array }) | undefined;
  /** In per cent of the controls, where there are any. */
  readonly y: Quantity & { readonly values: Float64Array };
  /** What was read, in its own unit. */
  readonly signal: Quantity & { readonly values: Float64Array };
  /** Of the signal. */
  readonly sigma: (Quantity & { readonly values: Float64Array }) | undefined;
  readonly weight: (Quantity & { readonly values: Float64Array }) | undefined;
  readonly dose: (Quantity & { readonly values: Float64Array }) | undefined;
  /** Numbers that a shape may read, such as the concentration of an inhibitor. */
  readonly condition: (Quantity & { readonly values: Float64Array }) | undefined;
  readonly group: (Quantity & { readonly labels: readonly string[]; readonly of: Int32Array }) | undefined;
  /** Of which row of the table each is. */
  readonly row: Int32Array;
  /** Which of several columns of y, from 1. */
  readonly replicate: Int32Array | undefined;
  /** Readings that count for nothing, by their place here. */
  readonly excluded: ReadonlyMap<number, string>;
  readonly dropped: readonly Dropped[];
  /** Means of the controls, where there are any. */
  readonly controls: { readonly full: number; readonly zero: number; readonly labels: string } | undefined;
}

export function readingsOf(columns: readonly ExperimentColumn[], rows: number, roles: Roles): Readings {
  const at = (role: ColumnRole): readonly ExperimentColumn[] => columns.filter((_, j) => roles.columns[j] === role);
  const [[x], [weight], [dose], [condition]] = [at('x'), at('weight'), at('dose'), at('condition')];
  const [[exclude], [censored]] = [at('exclude'), at('censored')];
  const [observed, sigmas, groups] = [at('y'), at('sigma'), at('group')];
  const inGroups = observed.length > 1 && roles.together === 'groups';
  const dropped: Dropped[] = [];
  const kept: { row: number; j: number; why: string | undefined }[] = [];
  const controls = controlRows(columns, roles, rows);
  for (let row = 0; row < rows; row++) {
    if (controls.rows.has(row)) continue;
    const lacking = [x, weight, dose, ...groups].find((column) => column && column.text(row) === undefined);
    if (lacking) {
      dropped.push({ row, why: `it has no ${lacking.name}` });
      continue;
    }
    const flag = exclude?.text(row)?.trim();
    const why = flag === undefined || saysNo.test(flag) ? undefined : reasonOf(flag, exclude?.name ?? '');
    const limit = censored?.text(row)?.trim();
    for (const [j, column] of observed.entries()) {
      const sigma = sigmaFor(sigmas, observed.length, j);
      const stray = column.firstStrays.find((each) => each.row === row)?.cell;
      if (column.text(row) === undefined || (sigma && !((sigma.values?.[row] ?? NaN) > 0))) {
        const empty = stray === undefined ? 'it is missing' : `"${stray}" is no number`;
        const beside = column.text(row) === undefined ? empty : `its error ${sigma?.name} is not above 0`;
        dropped.push({ row, column: column.name, why: beside });
      } else if (limit !== undefined && !saysNo.test(limit))
        dropped.push({ row, column: column.name, why: `${censored?.name} says that it is censored` });
      else kept.push({ row, j, why });
    }
  }
  const numbers = (column: ExperimentColumn | undefined) =>
    column && { ...quantity(column), values: Float64Array.from(kept, ({ row }) => valueAt(column, row)) };
  const first = observed[0];
  const scale = scaleOf(observed, controls);
  const signal = {
    ...signalOf(observed, inGroups),
    values: Float64Array.from(kept, ({ row, j }) => valueAt(observed[j]!, row)),
  };
  return {
    x: numbers(x),
    y: scale.controls ? { name: 'activity', unit: '%', values: signal.values.map(scale) } : signal,
    signal,
    sigma:
      sigmas[0] && first
        ? {
            ...quantity(sigmas[0]),
            values: Float64Array.from(kept, ({ row, j }) => valueAt(sigmaFor(sigmas, observed.length, j)!, row)),
          }
        : undefined,
    weight: numbers(weight),
    dose: numbers(dose),
    condition: condition?.values ? numbers(condition) : undefined,
    group: groupOf(kept, groups, condition, inGroups ? observed : undefined),
    row: Int32Array.from(kept, ({ row }) => row),
    replicate: observed.length > 1 && !inGroups ? Int32Array.from(kept, ({ j }) => j + 1) : undefined,
    excluded: new Map(kept.flatMap(({ why }, i) => (why === undefined ? [] : [[i, why] as const]))),
    dropped,
    controls: scale.controls,
  };
}

const quantity = ({ name, unit }: ExperimentColumn): Quantity => ({ name, unit: unit ?? '' });

/** Dates are days since the first, as a document takes them. */
function valueAt({ values, type }: ExperimentColumn, row: number): number {
  const value = values?.[row] ?? NaN;
  return type === 'date' ? value - (values?.find((day) => !Number.isNaN(day)) ?? 0) : value;
}

const reasonOf = (flag: string, name: string): string => (/^(?:1|x|yes|y|true|t|ja|j)$/i.test(flag) ? name : flag);

/** One for each y, or one for all. */
function sigmaFor(sigmas: readonly ExperimentColumn[], observed: number, j: number): ExperimentColumn | undefined {
  return sigmas.length === observed ? sigmas[j] : sigmas[0];
}

/** What the replicates are readings of: the stem of their names. */
function signalOf(observed: readonly ExperimentColumn[], inGroups: boolean): Quantity {
  const [first] = observed;
  if (!first) return { name: 'y', unit: '' };
  if (observed.length === 1) return quantity(first);
  const common = observed.reduce((stem, { name }) => {
    let length = 0;
    while (length < stem.length && stem[length] === name[length]) length++;
    return stem.slice(0, length);
  }, first.name);
  const name = common.replace(/[\s._\-#(]+(?:rep(?:licate)?|replikat|wdh|nr)?[\s._\-#(]*$/iu, '').trim();
  return { name: inGroups || name.length < 2 ? 'signal' : name, unit: first.unit ?? '' };
}

interface ControlRows {
  readonly full: readonly number[];
  readonly zero: readonly number[];
  readonly rows: ReadonlySet<number>;
  readonly labels: string;
}

function controlRows(columns: readonly ExperimentColumn[], { controls }: Roles, rows: number): ControlRows {
  if (!controls) return { full: [], zero: [], rows: new Set(), labels: '' };
  const column = columns[controls.column]!;
  const having = (labels: readonly string[]): number[] =>
    Array.from({ length: rows }, (_, row) => row).filter((row) => labels.includes(column.text(row)?.trim() ?? ''));
  const [full, zero] = [having(controls.full), having(controls.zero)];
  const labels = `${controls.full.join(', ')} 100 %, ${controls.zero.join(', ')} 0 %`;
  return { full, zero, rows: new Set([...full, ...zero]), labels };
}

/** From what was read to per cent of the controls. */
function scaleOf(observed: readonly ExperimentColumn[], rows: ControlRows) {
  const mean = (places: readonly number[]): number => {
    const values = observed.flatMap((column) => places.map((row) => valueAt(column, row))).filter(Number.isFinite);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const [full, zero] = [mean(rows.full), mean(rows.zero)];
  const controls = Number.isFinite(full) && Number.isFinite(zero) && full !== zero;
  return Object.assign((value: number): number => (controls ? (100 * (value - zero)) / (full - zero) : value), {
    controls: controls ? { full, zero, labels: rows.labels } : undefined,
  });
}

function groupOf(
  kept: readonly { readonly row: number; readonly j: number }[],
  groups: readonly ExperimentColumn[],
  condition: ExperimentColumn | undefined,
  series: readonly ExperimentColumn[] | undefined,
): Readings['group'] {
  const byLabel = condition && !condition.values ? [condition] : [];
  const parts = [...groups, ...byLabel];
  if (parts.length === 0 && !series) return undefined;
  const keys = kept.map(({ row, j }) =>
    [...parts.map((column) => column.text(row) ?? ''), ...(series ? [series[j]!.name] : [])].join(', '),
  );
  const labels = [...new Set(keys)];
  if (labels.length < 2) return undefined;
  const places = new Map(labels.map((label, i) => [label, i]));
  const [first] = parts;
  return {
    ...(first ? quantity(first) : { name: 'series', unit: '' }),
    labels,
    of: Int32Array.from(keys, (key) => places.get(key) ?? 0),
  };
}

/** At most so many of the readings, as far apart as they can be: the same where there are no more. */
export function thinned(readings: Readings, most: number): Readings {
  const step = Math.ceil(readings.y.values.length / most);
  if (step <= 1) return readings;
  const some = <A extends Float64Array | Int32Array>(values: A): A => values.filter((_, i) => i % step === 0) as A;
  const of = <Q extends Quantity & { readonly values: Float64Array }>(quantity: Q): Q => ({
    ...quantity,
    values: some(quantity.values),
  });
  const { x, y, signal, sigma, weight, dose, condition, group, row, replicate, excluded } = readings;
  return {
    ...readings,
    ...{ x: x && of(x), y: of(y), signal: of(signal), sigma: sigma && of(sigma), weight: weight && of(weight) },
    ...{ dose: dose && of(dose), condition: condition && of(condition), row: some(row) },
    group: group && { ...group, of: some(group.of) },
    replicate: replicate && some(replicate),
    excluded: new Map([...excluded].flatMap(([i, why]) => (i % step === 0 ? [[i / step, why] as const] : []))),
  };
}

/**
 * An experiment's table in long form: one row for each reading. Replicates that stand side by side become rows of one
 * curve, columns of one curve each become groups; controls leave and set the scale; what cannot be used is named.
 */
import { curveNames } from './column-names.ts';
import type { ExperimentColumn } from './find-roles.ts';
import type { Limit } from '../tables/import/type-column.ts';
import { belowName, nonspecificName, saysNo, saysSummary, type ColumnRole, type Noise, type Roles } from './roles.ts';

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
  /** Of which the signal counts those that answered; y is their share. Without a column, each reading is one trial: it is 0 or 1. */
  readonly trials: (Quantity & { readonly values: Float64Array; readonly alone?: true }) | undefined;
  /** Limits of the signal below or above which some are known to lie, and nothing else of them; NaN of all others. */
  readonly below: (Quantity & { readonly values: Float64Array }) | undefined;
  readonly above: (Quantity & { readonly values: Float64Array }) | undefined;
  readonly dose: (Quantity & { readonly values: Float64Array }) | undefined;
  /** Numbers that a shape may read, such as the concentration of an inhibitor; `marks`: 1 of total binding, 0 of nonspecific. */
  readonly condition: (Quantity & { readonly values: Float64Array; readonly marks?: true }) | undefined;
  readonly group: (Quantity & { readonly labels: readonly string[]; readonly of: Int32Array }) | undefined;
  /** Of which row of the table each is. */
  readonly row: Int32Array;
  /** Which of several columns of y that are readings of one curve, from 1. */
  readonly replicate: Int32Array | undefined;
  /** Readings that count for nothing, by their place here. */
  readonly excluded: ReadonlyMap<number, string>;
  readonly dropped: readonly Dropped[];
  /** Means of the controls, where there are any. */
  readonly controls: { readonly full: number; readonly zero: number; readonly labels: string } | undefined;
  /** How they scatter, where that is said. */
  readonly noise?: Noise | undefined;
}

export function readingsOf(columns: readonly ExperimentColumn[], rows: number, roles: Roles): Readings {
  const at = (role: ColumnRole): readonly ExperimentColumn[] => columns.filter((_, j) => roles.columns[j] === role);
  const [[x], [weight], [dose], [condition]] = [at('x'), at('weight'), at('dose'), at('condition')];
  const [[exclude], [trials], [repeats]] = [at('exclude'), at('trials'), at('repeats')];
  const [observed, sigmas, groups] = [at('y'), at('sigma'), at('group')];
  const inGroups = observed.length > 1 && (roles.together === 'groups' || roles.together === 'names');
  const isMarked = observed.length > 1 && roles.together === 'specific';
  const marks = observed.map(({ name }) => Number(!nonspecificName.test(name)));
  const byName = inGroups && roles.together === 'names';
  const curves = observed.map(({ name }) => name);
  const series = byName ? curveNames(curves) : inGroups ? curves : undefined;
  /** Which of the readings of its curve a column has, from 1. */
  const counts = observed.map((_, j) => {
    const curve: readonly (string | number)[] | undefined = byName ? series : isMarked ? marks : undefined;
    return curve ? curve.slice(0, j + 1).filter((each) => each === curve[j]).length : j + 1;
  });
  const areCounted = observed.length > 1 && !(isMarked && counts.every((count) => count === 1));
  const dropped: Dropped[] = [];
  const kept: Kept[] = [];
  const controls = controlRows(columns, roles, rows);
  const limitOf = limitsOf(columns, roles);
  const summaries = summariesOf(columns, rows);
  const needed = [x, weight, dose, trials, repeats, ...groups];
  for (let row = 0; row < rows; row++) {
    if (controls.rows.has(row)) {
      for (const column of observed)
        if (!has(column, row)) dropped.push({ row, column: column.name, why: unset(column, row) });
      continue;
    }
    const summary = summaries.get(row);
    if (summary !== undefined) {
      dropped.push({ row, why: `"${summary}" sums up those above` });
      continue;
    }
    const lacking = needed.find((column) => column && !has(column, row));
    if (lacking) {
      dropped.push({
        row,
        why: isInfinite(lacking, row) ? `its ${lacking.name} is infinite` : `it has no ${lacking.name}`,
      });
      continue;
    }
    const flag = exclude?.text(row)?.trim();
    const why = flag === undefined || saysNo.test(flag) ? undefined : reasonOf(flag, exclude?.name ?? '');
    for (const [j, column] of observed.entries()) {
      const sigma = sigmaFor(sigmas, observed.length, j);
      const limit = limitOf(column, row);
      const hasError = !sigma || (sigma.values?.[row] ?? NaN) > 0;
      if (typeof limit === 'string') dropped.push({ row, column: column.name, why: limit });
      else if (limit ? hasError : has(column, row) && hasError) kept.push({ row, j, why, limit });
      else dropped.push({ row, column: column.name, why: lackOf(column, row, sigma) });
    }
  }
  const numbers = (column: ExperimentColumn | undefined) =>
    column && { ...quantity(column), values: Float64Array.from(kept, ({ row }) => valueAt(column, row)) };
  const first = observed[0];
  const scale = scaleOf(observed, controls);
  const signal = {
    ...signalOf(observed, inGroups),
    values: Float64Array.from(kept, ({ row, j, limit }) => limit?.at ?? valueAt(observed[j]!, row)),
  };
  const limits = (side: Limit['side']) =>
    kept.some(({ limit }) => limit?.side === side)
      ? {
          name: side,
          unit: signal.unit,
          values: Float64Array.from(kept, ({ limit }) => (limit?.side === side ? limit.at : NaN)),
        }
      : undefined;
  const isPlain = observed.length === 1 && x !== undefined && !(sigmas[0] ?? weight) && !scale.controls;
  const tried =
    numbers(trials) ??
    (isPlain && isYesOrNo(signal.values)
      ? { name: 'trials', unit: '', values: signal.values.map(() => 1), alone: true as const }
      : undefined);
  return {
    x: numbers(x),
    y: scale.controls
      ? { name: 'activity', unit: '%', values: signal.values.map(scale) }
      : tried
        ? {
            name: `share of ${signal.name}`,
            unit: '',
            values: signal.values.map((value, i) => value / tried.values[i]!),
          }
        : signal,
    signal,
    sigma:
      sigmas[0] && first
        ? {
            ...quantity(sigmas[0]),
            // Of several, each its own: the name of the first would be untrue of the others.
            ...(sigmas.length > 1 && sigmas.length === observed.length && { name: 'error', unit: unitOf(sigmas) }),
            ...(repeats && { name: `${sigmas.length > 1 ? 'error' : sigmas[0].name} of the mean` }),
            values: Float64Array.from(
              kept,
              ({ row, j }) =>
                valueAt(sigmaFor(sigmas, observed.length, j)!, row) / (repeats ? Math.sqrt(valueAt(repeats, row)) : 1),
            ),
          }
        : undefined,
    weight: numbers(weight),
    trials: tried,
    below: limits('below'),
    above: limits('above'),
    dose: numbers(dose),
    condition: isMarked
      ? { name: 'specific', unit: '', values: Float64Array.from(kept, ({ j }) => marks[j]!), marks: true }
      : condition?.values
        ? numbers(condition)
        : undefined,
    group: groupOf(kept, groups, condition, series),
    row: Int32Array.from(kept, ({ row }) => row),
    replicate: areCounted && (byName || !inGroups) ? Int32Array.from(kept, ({ j }) => counts[j]!) : undefined,
    excluded: new Map(kept.flatMap(({ why }, i) => (why === undefined ? [] : [[i, why] as const]))),
    dropped,
    controls: scale.controls,
    noise: roles.noise,
  };
}

/** The rows at the end that a spreadsheet has for a total or a mean, with their words: a word of several rows is a group's label. */
function summariesOf(columns: readonly ExperimentColumn[], rows: number): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const labels = columns.filter(({ type }) => type === 'category');
  const wordOf = (row: number): string | undefined =>
    labels.map((column) => column.text(row)?.trim() ?? '').find((text) => saysSummary.test(text));
  for (let row = rows - 1; row >= 0; row--) {
    const word = wordOf(row);
    const isEmpty = columns.every((column) => column.text(row) === undefined);
    if (word === undefined && !isEmpty) break;
    if (word === undefined) continue;
    if ([...found.values(), row > 0 ? wordOf(row - 1) : undefined].includes(word)) return new Map();
    found.set(row, word);
  }
  return found;
}

/** Fewer of them say nothing of a share. */
const leastAnswers = 8;

/** 0 or 1, and both: who was tried, and answered or did not. */
const isYesOrNo = (values: Float64Array): boolean =>
  values.length >= leastAnswers &&
  values.every((value) => value === 0 || value === 1) &&
  values.includes(0) &&
  values.includes(1);

/** Whether its cell says something; what is infinite, as a logger writes an overflow, says no more than that. */
const has = ({ values, text }: ExperimentColumn, row: number): boolean =>
  values ? Number.isFinite(values[row]!) : text(row) !== undefined;

const isInfinite = ({ values }: ExperimentColumn, row: number): boolean => Math.abs(values?.[row] ?? NaN) === Infinity;

/** Why no shape can be told from readings. */
export function whyNoShape({ x, y }: Readings): string {
  const [first] = x?.values ?? [];
  const { length } = y.values;
  if (length > 1 && first !== undefined && x!.values.every((value) => value === first))
    return `all ${length} readings are at ${x!.name} = ${first}`;
  return `${length} ${length === 1 ? 'reading is' : 'readings are'} left of what was read`;
}

interface Kept {
  readonly row: number;
  /** Which of the columns of y. */
  readonly j: number;
  /** It is excluded. */
  readonly why: string | undefined;
  readonly limit: Limit | undefined;
}

function lackOf(column: ExperimentColumn, row: number, sigma: ExperimentColumn | undefined): string {
  if (isInfinite(column, row)) return 'it is infinite';
  if (column.text(row) !== undefined) return `its error ${sigma?.name} is not above 0`;
  const stray = column.stray(row);
  return stray === undefined ? 'it is missing' : `"${stray}" is no number`;
}

/** Of a control. */
function unset(column: ExperimentColumn, row: number): string {
  const limit = column.limits.get(row);
  if (!limit) return lackOf(column, row, undefined);
  return `it is known to lie ${limit.side} ${limit.at} alone, and sets no mean of its controls`;
}

/** Words of a laboratory for what is below its limit. */
const saysBelow = /^(?:b?l?lo[dq]|b[ql]q?l?|bdl|nd|n\.\s?d\.|not detected|below.*|<\s*l?lo[dq])$/iu;
/** A flag's own words, where it has any. */
const saysAbove = /above|right|>|rechts|oben|^-1$/iu;

/**
 * Whether a reading is known only to lie beyond a limit: the cell says so (`<0.5`), or a flag beside it, or it is at the
 * limit that another column has. A sentence where the limit is not known.
 */
function limitsOf(
  columns: readonly ExperimentColumn[],
  { columns: roles }: Roles,
): (column: ExperimentColumn, row: number) => Limit | string | undefined {
  const at = (role: ColumnRole): ExperimentColumn | undefined => columns.find((_, j) => roles[j] === role);
  const [limit, censored, event] = [at('limit'), at('censored'), at('event')];
  const ofTimes = !roles.includes('x');
  const seen = event?.values?.reduce((most, value) => (value > most ? value : most), -Infinity);
  return (column, row) => {
    const written = column.limits.get(row);
    if (written) return written;
    const value = column.values?.[row] ?? NaN;
    if (event) {
      const flag = event.values?.[row] ?? NaN;
      return Number.isNaN(value) || flag === seen ? undefined : { side: 'above', at: value };
    }
    const word = column.stray(row);
    const flag = censored?.text(row)?.trim();
    const isFlagged = flag !== undefined && !saysNo.test(flag);
    const known = limit?.values?.[row];
    if (word !== undefined && saysBelow.test(word) && known !== undefined) return { side: 'below', at: known };
    if (!isFlagged) return known !== undefined && value <= known ? { side: 'below', at: known } : undefined;
    const side = saysAbove.test(flag) || (ofTimes && !belowName.test(censored?.name ?? '')) ? 'above' : 'below';
    const place = known ?? value;
    return Number.isNaN(place) || (side === 'below' && place === 0)
      ? `${censored?.name} says that it is censored, and no column has its limit`
      : { side, at: place };
  };
}

/** Dates come as days. */
const quantity = ({ name, unit, type }: ExperimentColumn): Quantity => ({
  name,
  unit: unit ?? (type === 'date' ? 'd' : ''),
});

/** Dates are days since the first, as a document takes them. */
function valueAt({ values, type }: ExperimentColumn, row: number): number {
  const value = values?.[row] ?? NaN;
  return type === 'date' ? value - (values?.find((day) => !Number.isNaN(day)) ?? 0) : value;
}

const reasonOf = (flag: string, name: string): string => (/^(?:1|x|yes|y|true|t|ja|j|wahr)$/i.test(flag) ? name : flag);

/** One for each y, or one for all. */
function sigmaFor(sigmas: readonly ExperimentColumn[], observed: number, j: number): ExperimentColumn | undefined {
  return sigmas.length === observed ? sigmas[j] : sigmas[0];
}

/** That of all of them, or none: numbers of different units are only numbers once they are in one column. */
const unitOf = (columns: readonly ExperimentColumn[]): string =>
  new Set(columns.map(({ unit }) => unit ?? '')).size === 1 ? (columns[0]?.unit ?? '') : '';

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
  return { name: inGroups || name.length < 2 ? 'signal' : name, unit: unitOf(observed) };
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
  series: readonly string[] | undefined,
): Readings['group'] {
  const byLabel = condition && !condition.values ? [condition] : [];
  const parts = [...groups, ...byLabel];
  if (parts.length === 0 && !series) return undefined;
  const [only] = parts;
  const keys = kept.map(({ row, j }) =>
    only && parts.length === 1 && !series
      ? (only.text(row) ?? '')
      : [...parts.map((column) => column.text(row) ?? ''), ...(series ? [series[j]!] : [])].join(', '),
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

/** About so many of the readings, of each group as far apart as they can be, and of each one at least: the same where there are no more. */
export function thinned(readings: Readings, most: number): Readings {
  const { length } = readings.y.values;
  const step = Math.ceil(length / most);
  if (step <= 1) return readings;
  const seen = new Map<number, number>();
  const kept: number[] = [];
  for (let i = 0; i < length; i++) {
    const g = readings.group?.of[i] ?? 0;
    const before = seen.get(g) ?? 0;
    if (before % step === 0) kept.push(i);
    seen.set(g, before + 1);
  }
  const places = new Map(kept.map((i, place) => [i, place]));
  const some = <A extends Float64Array | Int32Array>(values: A): A => values.filter((_, i) => places.has(i)) as A;
  const of = <Q extends Quantity & { readonly values: Float64Array }>(quantity: Q): Q => ({
    ...quantity,
    values: some(quantity.values),
  });
  const { x, y, signal, sigma, weight, trials, below, above, dose, condition, group, row, replicate, excluded } =
    readings;
  return {
    ...readings,
    ...{ x: x && of(x), y: of(y), signal: of(signal), sigma: sigma && of(sigma), weight: weight && of(weight) },
    ...{ trials: trials && of(trials), below: below && of(below), above: above && of(above) },
    ...{ dose: dose && of(dose), condition: condition && of(condition), row: some(row) },
    group: group && { ...group, of: some(group.of) },
    replicate: replicate && some(replicate),
    excluded: new Map(
      [...excluded].flatMap(([i, why]) => {
        const place = places.get(i);
        return place === undefined ? [] : [[place, why] as const];
      }),
    ),
  };
}

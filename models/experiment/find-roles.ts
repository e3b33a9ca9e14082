/** Which column of a table is what, by its name, its unit and its cells. All of it can be said instead. */
import type { ImportedColumn } from '../tables/import/type-column.ts';
import { differ } from './agreement.ts';
import { curveNames, repeatedOf, stemOf } from './column-names.ts';
import type { ColumnRole, Controls, Roles, Together } from './roles.ts';
import * as names from './roles.ts';

export interface ExperimentColumn extends ImportedColumn {
  readonly name: string;
  readonly unit: string | undefined;
}

/** A category of this many labels for each row, or more, tells rows apart and groups nothing. */
const labelsShare = 0.5;
/** Of a group's rows so many at an x that it has twice are of two curves. */
const repeatedShare = 0.3;
/** Rows of a curve that is told by a number alone. */
const leastOfCurve = 4;
/** What whole numbers are that begin anew with a curve, and do not count curves. */
const notCounting = [
  ...[names.timeName, names.abscissaName, names.observedName, names.replicateName, names.doseName, names.logDoseName],
  ...[names.conditionName, names.countName, names.trialsName, names.successesName, names.limitName, names.eventName],
];
/** Columns that could be one signal differ by less than this factor. */
const alike = 50;

export function findRoles(columns: readonly ExperimentColumn[], rows: number): Roles {
  const found = columns.map((column): ColumnRole => (isEmpty(column, rows) ? 'ignore' : 'keep'));
  const free = (j: number): boolean => found[j] === 'keep';
  const take = (role: ColumnRole, fits: (column: ExperimentColumn, j: number) => boolean): number | undefined => {
    const j = columns.findIndex((column, at) => free(at) && fits(column, at));
    if (j < 0) return undefined;
    found[j] = role;
    return j;
  };

  take('exclude', (column) => names.excludeName.test(column.name) && isFlag(column) && keepsSome(column, rows));
  const lifetime = lifetimeAmong(columns, rows);
  take(
    lifetime?.flag ?? 'censored',
    lifetime
      ? (_, j) => j === lifetime.by
      : (column) => names.censoredName.test(column.name) && isFlag(column) && !isLimit(column),
  );
  const control = take(
    'control',
    (column) => column.type === 'category' && names.controlName.test(column.name) && hasControls(column, rows),
  );
  columns.forEach((column, j) => {
    if (free(j) && isError(column, columns)) found[j] = 'sigma';
  });
  // A deviation of single readings beside how many there are says how well their mean is known.
  if (columns.some(({ name }, j) => found[j] === 'sigma' && names.deviationName.test(name)))
    take('repeats', (column) => names.repeatsName.test(column.name) && isRepeats(column));
  const isRead = columns.some(({ name }) => names.plainlyRead.test(name));
  take(
    'weight',
    ({ name, unit, ...column }) =>
      isPositive({ name, unit, ...column }) &&
      (names.weightName.test(name) || (isRead && unit === undefined && names.eitherWeightName.test(name))),
  );
  const group =
    take('group', (column) => isGrouping(column, rows) && names.groupName.test(column.name)) ??
    take(
      'group',
      (column) => column.type === 'category' && isGrouping(column, rows) && !names.qualityName.test(column.name),
    ) ??
    take('group', (column) => countsCurves(column, columns, rows));
  if (lifetime) {
    found[lifetime.time] = 'y';
    found.forEach((role, j) => {
      if (role === 'sigma' || role === 'weight') found[j] = 'keep';
    });
    return { columns: found, together: 'replicates', controls: undefined };
  }
  const tried = trialsAmong(columns, free, rows);
  if (tried) [found[tried.trials], found[tried.successes]] = ['trials', 'y'];

  const numbers = columns.flatMap((column, j) => (free(j) && isNumbers(column, rows) ? [j] : []));
  // Where no column has a name, the first is as good as any.
  const nameless = columns.every(({ name }) => /^column\d+$/.test(name));
  const measured = numbers.filter((j) => nameless || !isRowNumber(columns[j]!, j));
  const able = measured.length > 0 ? measured : numbers;
  const isCount = (j: number): boolean =>
    tried !== undefined && [names.trialsName, names.successesName].some((pattern) => pattern.test(columns[j]!.name));
  const set = able.filter((j) => !isCount(j));
  const x = set.length > 1 || tried || isUnread(set, columns, rows) ? abscissaAmong(set, columns, rows) : undefined;
  if (x !== undefined) found[x] = 'x';
  // A subject's two formulations are two curves, which the subject alone does not tell apart.
  if (x !== undefined && group !== undefined)
    take(
      'group',
      (column) =>
        // A label for each row is its name, as R writes them in quotes, and would leave no two readings together.
        (column.type === 'category' ? isGrouping(column, rows) : countsCurves(column, columns, rows)) &&
        !names.replicateName.test(column.name) &&
        repeatsIn([columns[group]!, columns[x]!], rows) >= repeatedShare * rows &&
        (repeatsIn([columns[group]!, columns[x]!, column], rows) === 0 ||
          (!names.occasionName.test(column.name) && areCrossed(columns[group]!, columns[x]!, column, rows))),
    );
  if (tried) return { columns: found, together: 'replicates', controls: undefined };
  const isTime = x !== undefined && names.timeName.test(columns[x]!.name);
  if (isTime) take('dose', (column, j) => able.includes(j) && names.doseName.test(column.name) && able.length > 2);
  if (x !== undefined && able.filter(free).length > 1) {
    take(
      'condition',
      (column, j) => able.includes(j) && names.conditionName.test(column.name) && repeats(column, rows),
    );
    take('limit', (column, j) => able.includes(j) && names.limitName.test(column.name) && able.filter(free).length > 1);
  }
  const { observed, together } = observedAmong(able.filter(free), columns, x, found);
  for (const j of observed) found[j] = 'y';
  if (observed.length === 0 && able[0] !== undefined && x === undefined) found[able[0]] = 'y';
  orphans(found);
  return { columns: found, together, controls: controlsOf(columns, rows, control ?? group, x, control !== undefined) };
}

const isEmpty = ({ missing, limits }: ExperimentColumn, rows: number): boolean =>
  rows > 0 && missing - limits.size === rows;

/** Columns in which something could have been read, and nothing was. */
export function unreadAmong(columns: readonly ExperimentColumn[], rows: number): readonly ExperimentColumn[] {
  return columns.filter(
    (column) =>
      isEmpty(column, rows) &&
      !/^column\d+$/.test(column.name) &&
      !names.remarkName.test(column.name) &&
      !names.excludeName.test(column.name),
  );
}

/** The only numbers are of an abscissa, and beside them is a column for what was read along it. */
function isUnread(able: readonly number[], columns: readonly ExperimentColumn[], rows: number): boolean {
  const [only, ...others] = able.map((j) => columns[j]!.name);
  if (only === undefined || others.length > 0) return false;
  const isSet = names.timeName.test(only) || (names.abscissaName.test(only) && !names.observedName.test(only));
  return isSet && unreadAmong(columns, rows).length > 0;
}

/**
 * Times until something, of which some have not seen it: a flag beside a time, and nothing that was read at the time. `cens`
 * is found beside readings too, where it tells of a limit.
 */
function lifetimeAmong(
  columns: readonly ExperimentColumn[],
  rows: number,
): { readonly time: number; readonly flag: 'event' | 'censored'; readonly by: number } | undefined {
  const isTwoNumbers = ({ values, missing }: ExperimentColumn): boolean =>
    values !== undefined && missing < rows && new Set(values.filter((value) => !Number.isNaN(value))).size === 2;
  const isTimes = ({ name, values, missing }: ExperimentColumn): boolean =>
    names.lifetimeName.test(name) && missing < rows && (values?.every((value) => !(value < 0)) ?? false);
  const time = columns.findIndex(isTimes);
  if (time < 0) return undefined;
  // All of them ended: then nothing else may have been read.
  const isAlwaysOne = ({ values, missing }: ExperimentColumn, at: number): boolean =>
    missing === 0 &&
    (values?.every((value) => value === 1) ?? false) &&
    columns.every((other, j) => j === at || j === time || other.type === 'category');
  const event = columns.findIndex(
    (column, j) => names.eventName.test(column.name) && (isTwoNumbers(column) || isAlwaysOne(column, j)),
  );
  const censored = columns.findIndex(
    (column) => /^(?:cens\p{L}*|zensiert)$/iu.test(column.name) && isTwoNumbers(column),
  );
  const read = /conc|konz|signal|^cp$|^dv$/iu;
  const isRead = columns.some(
    ({ name }, j) => j !== time && j !== event && j !== censored && (names.observedName.test(name) || read.test(name)),
  );
  if (event >= 0 && !columns.some(({ name }) => read.test(name))) return { time, flag: 'event', by: event };
  if (censored < 0 || isRead) return undefined;
  // `cens` is written both ways: most of what was watched was seen to end.
  const { name, values = new Float64Array() } = columns[censored]!;
  const ones = values.filter((value) => value > 0).length;
  const isEvent =
    /^cens$/i.test(name) && ones > values.length / 2 && values.every((value) => value === 0 || value === 1);
  return { time, flag: isEvent ? 'event' : 'censored', by: censored };
}

/** Whole numbers of which one is never above the other, and says how many were tried. */
function trialsAmong(
  columns: readonly ExperimentColumn[],
  free: (j: number) => boolean,
  rows: number,
): { readonly trials: number; readonly successes: number } | undefined {
  const isWhole = ({ values, missing }: ExperimentColumn): boolean =>
    values !== undefined &&
    missing < rows &&
    values.every((value) => Number.isNaN(value) || (Number.isInteger(value) && value >= 0));
  const whole = columns.flatMap((column, j) => (free(j) && isWhole(column) ? [j] : []));
  for (const trials of whole) {
    if (!names.trialsName.test(columns[trials]!.name)) continue;
    const n = columns[trials]!.values!;
    const fits = whole.filter(
      (j) =>
        j !== trials &&
        (names.successesName.test(columns[j]!.name) || columns[trials]!.name === `total of ${columns[j]!.name}`) &&
        columns[j]!.values!.every((value, row) => !(value > n[row]!)) &&
        columns[j]!.values!.some((value, row) => value < n[row]!),
    );
    // Nearest to it: each count stands beside its total.
    const [successes] = fits.sort((a, b) => Math.abs(a - trials) - Math.abs(b - trials));
    if (successes !== undefined) return { trials, successes };
  }
  return undefined;
}

/** Errors of what is not observed say nothing. */
function orphans(found: ColumnRole[]): void {
  const observed = found.filter((role) => role === 'y').length;
  const errors = found.flatMap((role, j) => (role === 'sigma' ? [j] : []));
  if (observed === 0 || errors.length === 0)
    found.forEach((role, j) => {
      if (role === 'repeats') found[j] = 'keep';
    });
  if (observed === 0) for (const j of errors) found[j] = 'keep';
  else if (errors.length > 1 && errors.length !== observed) {
    // Of several, that which stands beside what is observed.
    const own = errors.find((j) => found[j - 1] === 'y') ?? errors[0];
    for (const j of errors) if (j !== own) found[j] = 'keep';
  }
}

function isNumbers(column: ExperimentColumn, rows: number): boolean {
  return column.type !== 'category' && column.missing < rows;
}

function isPositive({ values }: ExperimentColumn): boolean {
  return values !== undefined && values.every((value) => Number.isNaN(value) || value > 0);
}

function isRepeats({ values }: ExperimentColumn): boolean {
  return values?.every((value) => Number.isNaN(value) || (Number.isInteger(value) && value >= 1)) ?? false;
}

function isError(column: ExperimentColumn, columns: readonly ExperimentColumn[]): boolean {
  const { name, values } = column;
  if (column.type === 'category' || values === undefined) return false;
  const of = names.errorOf.exec(name)?.groups?.['name'];
  const isOfOther =
    of !== undefined &&
    columns.some((other) => other.name.toLowerCase() === of.toLowerCase() && isBelow(values, other.values));
  if (!(isOfOther || names.errorName.test(name) || names.errorSign.test(name))) return false;
  return values.every((value) => Number.isNaN(value) || value >= 0) && values.some((value) => value > 0);
}

/** Errors are smaller than what they are of, but where little of that is left: a difference or a rate need not be. */
function isBelow(errors: Float64Array, values: Float64Array = new Float64Array()): boolean {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0);
  return errors.every((error) => !(error > largest));
}

/** Labels, or 0 and 1; a number that is neither is a limit. */
function isFlag({ type, values }: ExperimentColumn): boolean {
  return type === 'category' || (values?.every((value) => Number.isNaN(value) || [-1, 0, 1].includes(value)) ?? false);
}

/** Whoever flags what counts for nothing leaves something that counts. */
const keepsSome = ({ text }: ExperimentColumn, rows: number): boolean =>
  Array.from({ length: rows }, (_, row) => text(row)?.trim() ?? '').some((flag) => names.saysNo.test(flag));

/** By its name it may be either, and of what flags some rows another number stands for the others. */
function isLimit({ name, values }: ExperimentColumn): boolean {
  return names.limitName.test(name) && (values?.every((value) => value === values[0]) ?? false) && values![0] !== 0;
}

function isGrouping(column: ExperimentColumn, rows: number): boolean {
  if (column.type !== 'category') return names.groupName.test(column.name) && repeats(column, rows);
  return (column.labels ?? 0) > 1 && (column.labels ?? 0) <= labelsShare * rows;
}

/**
 * Whole numbers that tell curves apart, by whatever name: in a run of one of them another column rises, and begins anew
 * where the next run does, and nowhere else. Abscissae, readings and replicates have names for that.
 */
function countsCurves(column: ExperimentColumn, columns: readonly ExperimentColumn[], rows: number): boolean {
  const { name, values, type } = column;
  if (type !== 'real' || values === undefined || !values.every(Number.isInteger) || !repeats(column, rows))
    return false;
  if (notCounting.some((pattern) => pattern.test(name))) return false;
  const begins = Array.from({ length: rows - 1 }, (_, row) => values[row + 1] !== values[row]);
  const runs = 1 + begins.filter(Boolean).length;
  if (rows < leastOfCurve * runs) return false;
  return columns.some(
    (other) =>
      other !== column &&
      other.values !== undefined &&
      begins.every((begin, row) => begin === other.values![row + 1]! < other.values![row]!),
  );
}

function repeats({ values }: ExperimentColumn, rows: number): boolean {
  return !hasFewer(values, 2) && hasFewer(values, labelsShare * rows + 1);
}

/** Rows of which all these cells stood in one before. */
function repeatsIn(columns: readonly ExperimentColumn[], rows: number): number {
  const keys = Array.from({ length: rows }, (_, row) => columns.map((column) => column.text(row)).join('\0'));
  return rows - new Set(keys).size;
}

/** Of the places of a curve so many have each of a second factor's labels. */
const crossedShare = 0.8;

/**
 * Whether a column is a second factor beside a group: at each x of a group it has each of the labels that it has there at all,
 * however often each was read. Rows without an x (controls) say nothing.
 */
function areCrossed(group: ExperimentColumn, x: ExperimentColumn, column: ExperimentColumn, rows: number): boolean {
  const labels = new Map<string, Set<string>>();
  const places = new Map<string, Map<string, Set<string>>>();
  for (let row = 0; row < rows; row++) {
    if (Number.isNaN(x.values?.[row] ?? NaN)) continue;
    const [of = '', at = '', label = ''] = [group.text(row), x.text(row), column.text(row)];
    labels.set(of, (labels.get(of) ?? new Set()).add(label));
    const own = places.get(of) ?? new Map<string, Set<string>>();
    places.set(of, own.set(at, (own.get(at) ?? new Set()).add(label)));
  }
  const each = [...places].flatMap(([of, own]) => [...own.values()].map((found) => [found.size, labels.get(of)!.size]));
  const whole = each.filter(([found, all]) => found === all && found! > 1).length;
  return each.length > 0 && whole >= crossedShare * each.length;
}

/** R's and pandas's column of row names: unnamed, and counting. */
function isRowNumber({ name, values }: ExperimentColumn, at: number): boolean {
  if (at !== 0 || !/^(?:column1|Unnamed: 0|rownames?|row|nr\.?|no\.?|#)$/i.test(name) || !values || values.length < 2)
    return false;
  const start = values[0]!;
  return (start === 0 || start === 1) && values.every((value, i) => value === start + i);
}

/**
 * By what it is called: time before dose before all else; then by being in order, as what was set is, and by how many values
 * it has: a day that is the same in half of the rows is no time.
 */
function abscissaAmong(
  able: readonly number[],
  columns: readonly ExperimentColumn[],
  rows: number,
): number | undefined {
  const score = (j: number): number => {
    const column = columns[j]!;
    if (column.type === 'date') return 9;
    if (names.logDoseName.test(column.name)) return 6;
    const isSet = names.abscissaName.test(column.name) || names.speciesName.test(column.name);
    const isRelative = names.relativeName.test(column.name);
    const name = isRelative ? 0 : names.timeName.test(column.name) ? 5 : isSet ? 4 : 0;
    const few = rows > 6 && hasFewer(column.values, 3) ? 3 : 0;
    // Month and day side by side are a date in parts: none of them is a time by itself.
    const part = isPart(column.name) && columns.some((other) => other !== column && isPart(other.name)) ? 5 : 0;
    const isRead = isRelative || names.observedName.test(column.name);
    return name - part - few - (isRead ? 3 : 0) + (inOrder(column) ? 0.5 : 0);
  };
  return able.reduce<number | undefined>(
    (best, j) => (best === undefined || score(j) > score(best) ? j : best),
    undefined,
  );
}

/** Whether there are fewer distinct values: of a long column the first rows say it. */
function hasFewer(values: Float64Array = new Float64Array(), count: number): boolean {
  const distinct = new Set<number>();
  for (const value of values) if (distinct.add(value).size >= count) return false;
  return true;
}

const isPart = (name: string): boolean => /^(?:year|month|day|jahr|monat|tag)$/iu.test(name);

/** Hardly ever falls, or hardly ever rises: group by group it begins anew. */
function inOrder({ values }: ExperimentColumn): boolean {
  if (!values || values.length < 3) return false;
  let [up, down] = [0, 0];
  for (let i = 1; i < values.length; i++) {
    if (values[i]! > values[i - 1]!) up++;
    if (values[i]! < values[i - 1]!) down++;
  }
  return Math.min(up, down) <= 0.12 * values.length;
}

/** `height.301`, `height.303`: the same stem and a number that is none of a replicate. */
function longStemOf(name: string): string | undefined {
  return /^(.*?)[\s._\-#(]*\d{3,}\)?$/u.exec(name)?.[1]?.toLowerCase();
}

/** The first of several. */
const wordOf = (name: string): string => /^([^\s._-]+)[\s._-]+\S/u.exec(name)?.[1]?.toLowerCase() ?? '';

function observedAmong(
  able: readonly number[],
  columns: readonly ExperimentColumn[],
  x: number | undefined,
  found: readonly ColumnRole[],
): { readonly observed: readonly number[]; readonly together: Together } {
  if (able.length === 0) return { observed: [], together: 'replicates' };
  const nameOf = (j: number): string => columns[j]!.name;
  const score = (j: number): number =>
    (names.observedName.test(nameOf(j)) ? 2 : 0) +
    (x === undefined || j > x ? 1 : 0) -
    (names.timeName.test(nameOf(j)) ? 3 : 0);
  const first = able.reduce((best, j) => (score(j) > score(best) ? j : best));
  if (x === undefined) return { observed: [first], together: 'replicates' };
  const isInUnit = (j: number): boolean => columns[j]!.unit === columns[first]!.unit;
  // Each with an error of its own beside it.
  const withErrors = able.filter((j) => found[j + 1] === 'sigma' && isInUnit(j));
  const alikeIn = (stem: (name: string) => string | undefined): number[] =>
    stem(nameOf(first)) === undefined ? [] : able.filter((j) => stem(nameOf(j)) === stem(nameOf(first)) && isInUnit(j));
  const bound = totalAndNonspecific(able, columns);
  if (bound.includes(first)) return { observed: bound, together: 'specific' };
  const byName = severalOfEachName(able, columns, first);
  if (byName.length > 0) return { observed: byName, together: 'names' };
  const same = alikeIn(stemOf);
  const repeated = able.filter(
    (j) => repeatedOf(nameOf(j)) === repeatedOf(nameOf(first)) && isInUnit(j) && isNear(columns[j]!, columns[first]!),
  );
  // Subjects and compounds are no readings of one another, and neither are wells of different levels, or means.
  const haveErrors = (of: readonly number[]): boolean => found.filter((role) => role === 'sigma').length === of.length;
  if (same.length > 1) {
    const isEach =
      // `I=0`, `I=5` say at what each was read.
      haveErrors(same) ||
      stemOf(nameOf(first))?.endsWith('=') ||
      names.groupStem.test(stemOf(nameOf(first)) ?? '') ||
      differ(same.map((j) => columns[j]!));
    return { observed: same, together: isEach ? 'groups' : 'replicates' };
  }
  if (repeated.length > 1) return { observed: repeated, together: haveErrors(repeated) ? 'groups' : 'replicates' };
  const series = alikeIn(longStemOf);
  if (series.length > 1) return { observed: series, together: 'groups' };
  if (withErrors.length > 1 && withErrors.includes(first)) return { observed: withErrors, together: 'groups' };
  // `OD wt`, `OD mutant`: one signal, of several.
  const signal = wordOf(nameOf(first));
  const ofSignal = able.filter(
    (j) => wordOf(nameOf(j)) === signal && isInUnit(j) && isNear(columns[j]!, columns[first]!),
  );
  if (ofSignal.length > 1 && names.observedName.test(signal)) return { observed: ofSignal, together: 'groups' };
  const known = (j: number): boolean =>
    [names.observedName, names.abscissaName, names.timeName].some((pattern) => pattern.test(nameOf(j)));
  const curves = able.filter((j) => j > x);
  const isSeries =
    curves.length > 1 &&
    curves.length === able.length &&
    (!curves.some(known) || names.logDoseName.test(nameOf(x))) &&
    curves.every((j) => isInUnit(j) && isNear(columns[j]!, columns[first]!));
  return isSeries ? { observed: curves, together: 'groups' } : { observed: [first], together: 'replicates' };
}

/** Columns of total and of nonspecific binding in one unit. Empty where there are not both. */
function totalAndNonspecific(able: readonly number[], columns: readonly ExperimentColumn[]): readonly number[] {
  const isNonspecific = (j: number): boolean => names.nonspecificName.test(columns[j]!.name);
  const both = able.filter((j) => isNonspecific(j) || names.totalName.test(columns[j]!.name));
  const isOneUnit = new Set(both.map((j) => columns[j]!.unit)).size === 1;
  return isOneUnit && both.some(isNonspecific) && !both.every(isNonspecific) ? both : [];
}

/** Columns of two names or more, each of which several have: replicates of a curve for each. Empty where there are none. */
function severalOfEachName(
  able: readonly number[],
  columns: readonly ExperimentColumn[],
  first: number,
): readonly number[] {
  const curves = curveNames(able.map((j) => columns[j]!.name));
  const sets = new Map<string, number[]>();
  for (const [i, curve] of curves.entries()) sets.set(curve, [...(sets.get(curve) ?? []), able[i]!]);
  const several = [...sets].filter(([, places]) => places.length > 1);
  const all = several.flatMap(([, places]) => places);
  const stems = several.map(([curve]) => curve);
  // `y1, y2, x1, x2` and `OD 1, OD 2, GFP 1, GFP 2` are of different quantities, `OD wt 1, OD mutant 1` of one.
  const words = new Set(stems.map((curve) => wordOf(curve)));
  const known = [names.observedName, names.abscissaName, names.timeName];
  const isOneQuantity =
    (words.size === 1 && !words.has('')) || !stems.some((curve) => known.some((pattern) => pattern.test(curve)));
  const isOneEach =
    several.every(([curve]) => names.groupStem.test(curve)) ||
    several.some(([, places]) => differ(places.map((j) => columns[j]!)));
  const isAlike = all.every((j) => columns[j]!.unit === columns[first]!.unit && isNear(columns[j]!, columns[first]!));
  return stems.length > 1 && all.includes(first) && isOneQuantity && !isOneEach && isAlike ? all : [];
}

function isNear(a: ExperimentColumn, b: ExperimentColumn): boolean {
  const [ra, rb] = [largest(a), largest(b)];
  return ra <= alike * rb && rb <= alike * ra;
}

function largest({ values = new Float64Array() }: ExperimentColumn): number {
  return values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0);
}

function labelsAt(column: ExperimentColumn, rows: number): (string | undefined)[] {
  return Array.from({ length: rows }, (_, row) => column.text(row)?.trim());
}

function hasControls(column: ExperimentColumn, rows: number): boolean {
  return labelsAt(column, rows).some((label) => names.fullLabel.test(label ?? '') || names.zeroLabel.test(label ?? ''));
}

/**
 * Controls in both directions, or none: per cent need a 0 and a 100. `own`: the column is of controls alone; else they are
 * labels none of whose rows has a dose, beside the groups: their x is missing or 0.
 */
function controlsOf(
  columns: readonly ExperimentColumn[],
  rows: number,
  column: number | undefined,
  x: number | undefined,
  own: boolean,
): Controls | undefined {
  if (column === undefined || x === undefined) return undefined;
  const labels = labelsAt(columns[column]!, rows);
  const dosed = new Set(labels.filter((_, row) => (columns[x]!.values?.[row] || 0) !== 0));
  const matching = (pattern: RegExp): string[] => [
    ...new Set(
      labels.flatMap((label) =>
        label !== undefined && pattern.test(label) && (own || !dosed.has(label)) ? [label] : [],
      ),
    ),
  ];
  const [full, zero] = [matching(names.fullLabel), matching(names.zeroLabel)];
  return full.length > 0 && zero.length > 0 ? { column, full, zero } : undefined;
}

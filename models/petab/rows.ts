/** Rows that versions 1 and 2 write alike. */
import type { Expression } from '../formula/syntax.ts';
import { symbolsIn } from '../sbml/linear.ts';
import { refuse } from '../sbml/refusal.ts';
import { numberIn } from '../sbml/start.ts';
import { number, symbolOf } from '../sbml/syntax.ts';
import { readMath } from './math.ts';
import { readPrior } from './priors.ts';
import type { Distribution, Measurement, Observable, PetabParameter } from './problem.ts';
import { isMissing, plainNumber, readNumber, type Row } from './tsv.ts';

const scales = ['lin', 'log', 'log10'] as const;

const isId = (text: string): boolean => /^[a-z_]\w*$/i.test(text);

/** What formulas can name. */
function demandId(row: Row, column: string): string {
  const id = row.demand(column);
  return isId(id)
    ? id
    : refuse(`${row.where}: the ${column} "${id}" is none in PEtab: letters, digits and "_" alone, and no digit first`);
}

export function readParameter(row: Row, version: 1 | 2): PetabParameter {
  const id = demandId(row, 'parameterId');
  const scaleText = (version === 1 && row.cell('parameterScale')) || 'lin';
  const scale = scales.find((each) => each === scaleText);
  if (!scale)
    return refuse(`${row.where}: "${id}" has the parameterScale "${scaleText}", which is none of lin, log, log10`);
  const estimate = row.demand('estimate').toLowerCase();
  if (!['0', '1', '0.0', '1.0', 'true', 'false'].includes(estimate))
    return refuse(`${row.where}: "${id}" says estimate "${estimate}"`);
  const estimated = estimate.startsWith('1') || estimate === 'true';
  const nominal = row.number('nominalValue');
  if (!estimated && nominal === undefined)
    return refuse(`${row.where}: "${id}" is not estimated, and has no nominalValue`);
  const [lower, upper] = [row.number('lowerBound') ?? -Infinity, row.number('upperBound') ?? Infinity];
  if (estimated) demandRange(`${row.where}: "${id}"`, scale, lower, upper, nominal);
  const name = row.cell('parameterName');
  const prior = estimated ? readPrior(row, version, scale) : undefined;
  return { where: row.where, id, name: name === '' ? undefined : name, scale, lower, upper, nominal, estimated, prior };
}

/** Bounds are of the parameter itself, on whatever scale it is. */
function demandRange(what: string, scale: string, lower: number, upper: number, nominal: number | undefined): void {
  if (lower > upper) refuse(`${what} has the lowerBound ${lower} above its upperBound ${upper}`);
  if (scale !== 'lin' && ((lower < 0 && lower > -Infinity) || upper <= 0))
    refuse(
      `${what} has the parameterScale ${scale} and bounds from ${lower} to ${upper}: these are of the parameter itself, which is above 0`,
    );
  if (nominal !== undefined && !Number.isFinite(nominal)) refuse(`${what} is estimated, and begins at ${nominal}`);
}

const distributions: Readonly<Record<string, Distribution>> = {
  'lin normal': 'normal',
  'log normal': 'log-normal',
  'log10 normal': 'log-normal',
  'lin laplace': 'laplace',
  'log laplace': 'log-laplace',
  'log10 laplace': 'log-laplace',
  'lin log-normal': 'log-normal',
  'lin log-laplace': 'log-laplace',
};

export function readObservable(row: Row, version: 1 | 2): Observable {
  const id = demandId(row, 'observableId');
  const what = `${row.where}: the observable "${id}"`;
  const transformation = (version === 1 && row.cell('observableTransformation')) || 'lin';
  const noise = row.cell('noiseDistribution') || 'normal';
  const distribution = distributions[`${transformation} ${version === 1 ? noise.toLowerCase() : noise}`];
  if (!distribution || (version === 1 && noise.startsWith('log')))
    return refuse(
      `${what} has the noise "${noise}" and the transformation "${transformation}", which are not known together`,
    );
  const [observed, noisy] = [row.demand('observableFormula'), row.demand('noiseFormula')];
  const declared = (column: string): string[] =>
    row.cell(column) === ''
      ? []
      : row
          .cell(column)
          .split(';')
          .map((part) => part.trim());
  /** Version 1 knows them by their names. */
  const named = (kind: string): string[] => {
    const found = [...`${observed} ${noisy}`.matchAll(new RegExp(`\\b${kind}(\\d+)_${id}\\b`, 'g'))];
    const most = Math.max(0, ...found.map(([, digits]) => Number(digits)));
    return Array.from({ length: most }, (_, i) => `${kind}${i + 1}_${id}`);
  };
  const name = row.cell('observableName');
  const observablePlaceholders = version === 1 ? named('observableParameter') : declared('observablePlaceholders');
  const noisePlaceholders = version === 1 ? named('noiseParameter') : declared('noisePlaceholders');
  const placeholders = [...observablePlaceholders, ...noisePlaceholders];
  const fault = placeholders.find((each, i) => !isId(each) || placeholders.indexOf(each) < i);
  if (fault !== undefined)
    refuse(`${what} has the placeholder "${fault}"${isId(fault) ? ' twice' : ', which is no id of PEtab'}`);
  const noiseFormula = readMath(noisy, `${what} in its noiseFormula`);
  demandNoise(noiseFormula, what);
  return {
    id,
    name: name === '' ? undefined : name,
    formula: readMath(observed, `${what} in its observableFormula`),
    noise: noiseFormula,
    distribution,
    decimal: transformation === 'log10',
    observablePlaceholders,
    noisePlaceholders,
  };
}

export function readMeasurement(
  row: Row,
  observables: ReadonlyMap<string, Observable>,
  experiment: number,
): Measurement {
  const observable = row.demand('observableId');
  const found = observables.get(observable);
  if (!found) return refuse(`${row.where} is of the observable "${observable}", which no table has`);
  const time = readNumber(row.demand('time'), `${row.where}: "time"`);
  const value = row.number('measurement') ?? NaN;
  if (Math.abs(value) === Infinity) refuse(`${row.where} has the measurement ${value}, which is no number`);
  if (found.distribution.startsWith('log') && value <= 0)
    refuse(`${row.where} has the measurement ${value}, and the noise of "${observable}" is that of its logarithm`);
  const overrides = new Map([
    ...overridesIn(row, 'observableParameters', found.observablePlaceholders),
    ...overridesIn(row, 'noiseParameters', found.noisePlaceholders),
  ]);
  demandNoise(overrides.get(symbolOf(found.noise) ?? '') ?? found.noise, row.where);
  return { where: row.where, observable, experiment, time, value, overrides };
}

/** Noise that is a number alone. */
function demandNoise(noise: Expression, what: string): void {
  const constant = numberIn(noise);
  if (constant !== undefined && !(constant > 0)) refuse(`${what} has the noise ${constant}, and it must be above 0`);
}

function overridesIn(row: Row, column: string, placeholders: readonly string[]): (readonly [string, Expression])[] {
  const text = row.cell(column);
  const given = isMissing(text) ? [] : text.split(';').map((part) => part.trim());
  if (given.length !== placeholders.length)
    return refuse(
      placeholders.length === 0
        ? `${row.where} says "${text}" in ${column}, and the formula of its observable has no placeholder for it`
        : `${row.where} says "${text}" in ${column}, and ${placeholders.length} are wanted: ${placeholders.join(', ')}`,
    );
  return placeholders.map((placeholder, i) => [placeholder, readValue(given[i]!, `${row.where}: ${column}`)]);
}

/** The ids in what conditions set. */
export const mentionedIn = (conditions: Iterable<ReadonlyMap<string, Expression>>): Set<string> =>
  new Set([...conditions].flatMap((changes) => [...changes.values()].flatMap((value) => [...symbolsIn(value)])));

export const targetsIn = (conditions: Iterable<ReadonlyMap<string, Expression>>): Set<string> =>
  new Set([...conditions].flatMap((changes) => [...changes.keys()]));

/** A number or a formula. */
export function readValue(text: string, where: string): Expression {
  const value = plainNumber(text);
  return value === undefined ? readMath(text, where) : number(value);
}

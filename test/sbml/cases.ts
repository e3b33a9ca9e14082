/** Cases of the SBML Test Suite: a model, what to simulate, and what must come out within which tolerances. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SemanticCase {
  readonly name: string;
  readonly model: string;
  /** Files that the model names. */
  readonly others: ReadonlyMap<string, string>;
  readonly start: number;
  readonly duration: number;
  readonly steps: number;
  readonly absolute: number;
  readonly relative: number;
  /** The columns of the results, as names of ours: `amount(S)` where the case says so. */
  readonly outputs: readonly string[];
  readonly times: readonly number[];
  /** Row by row, a value for each output. */
  readonly rows: readonly (readonly number[])[];
}

export async function readCase(folder: string, name: string): Promise<SemanticCase> {
  const files = await readdir(join(folder, name));
  const read = async (ending: RegExp): Promise<string> => {
    const file = files.filter((each) => ending.test(each)).find((each) => each.startsWith(name));
    if (file === undefined) throw new Error(`${name} has no ${String(ending)}`);
    return readFile(join(folder, name, file), 'utf8');
  };
  const settings = new Map(
    (await read(/settings\.txt$/)).split('\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
    }),
  );
  const number = (key: string): number => Number(settings.get(key) || 0);
  const list = (key: string): string[] =>
    (settings.get(key) ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  const [header = '', ...lines] = (await read(/results\.csv$/)).trim().split(/\r?\n/);
  const [, ...columns] = header.split(',').map((each) => each.trim());
  const cells = lines.map((line) => line.split(',').map(numberOf));
  const inAmounts = new Set(list('amount'));
  const inConcentrations = new Set(list('concentration'));
  return {
    name,
    model: await read(/sbml-l\dv\d\.xml$/),
    others: new Map(
      await Promise.all(
        files
          .filter((file) => file.endsWith('.xml') && !file.startsWith(name))
          .map(async (file) => [file, await readFile(join(folder, name, file), 'utf8')] as const),
      ),
    ),
    start: number('start'),
    duration: number('duration'),
    steps: number('steps'),
    absolute: number('absolute'),
    relative: number('relative'),
    outputs: columns.map((id) =>
      inAmounts.has(id) ? `amount(${id})` : inConcentrations.has(id) ? `concentration(${id})` : id,
    ),
    times: cells.map(([time]) => time!),
    rows: cells.map(([, ...values]) => values),
  };
}

function numberOf(cell: string): number {
  const text = cell.trim().toUpperCase();
  if (text === 'INF' || text === 'INFINITY') return Infinity;
  if (text === '-INF' || text === '-INFINITY') return -Infinity;
  return text === 'NAN' ? NaN : Number(text);
}

/** Within absolute + relative·|reference|; what is not finite is to be the same. */
export function isWithin(value: number, reference: number, { absolute, relative }: SemanticCase): boolean {
  if (!Number.isFinite(reference)) return Object.is(value, reference);
  return Math.abs(value - reference) <= absolute + relative * Math.abs(reference);
}

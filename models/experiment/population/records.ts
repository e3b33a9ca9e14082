/**
 * The rows of a NONMEM table, in the names of its data items (NONMEM Users Guide, part VI, chapter V): readings, doses and
 * rows that are neither. What a row says that is not understood is refused with its row, so that no dose is ever lost.
 */
import { TableError } from '../../tables/table.ts';
import { itemName } from '../../tables/import/dose-records.ts';
import type { NamedColumn } from '../../tables/import/type-column.ts';

export type Column = NamedColumn & { readonly unit: string | undefined };

interface Event {
  /** From 0, as in the table. */
  readonly row: number;
  readonly subject: string;
  readonly time: number;
  readonly compartment: number | undefined;
}

export interface Dose extends Event {
  readonly amount: number;
  /** Of an infusion; 0 is at once. */
  readonly lasting: number;
  /** How many more follow, and at what distance. */
  readonly more: number;
  readonly every: number;
}

export interface Reading extends Event {
  readonly value: number;
  /** The limit of quantification below which it is, where it is below one. */
  readonly below: number | undefined;
}

export interface LeftOut {
  readonly row: number;
  readonly column: string;
  readonly why: string;
}

export interface Records {
  readonly doses: readonly Dose[];
  readonly readings: readonly Reading[];
  readonly dropped: readonly LeftOut[];
  readonly columns: ReadonlyMap<string, Column>;
}

const flags = ['BLQ', 'BQL', 'BLOQ', 'CENS'] as const;
const limits = ['LLOQ', 'LOQ'] as const;
const others = ['ID', 'TIME', 'AMT', 'DV', 'EVID', 'MDV', 'CMT', 'RATE', 'ADDL', 'II', 'SS', 'DVID', 'C'] as const;
/** Data items that change what a row means, and are not understood where they say something. */
const foreign = ['PCMT', 'CALL', 'CONT', 'DATE', 'DAT1', 'DAT2', 'DAT3'] as const;

function byName(columns: readonly Column[]): ReadonlyMap<string, Column> {
  const named = columns.map((column): [string, Column] => [itemName(column.name), column]);
  return new Map(named.reverse());
}

/** The columns that are no data items: covariates, which the table of readings keeps. */
export function covariatesOf({ columns }: Pick<Records, 'columns'>): Column[] {
  const items = new Set<string>([...others, ...flags, ...limits, ...foreign]);
  return [...columns].flatMap(([name, column]) => (items.has(name) ? [] : [column]));
}

/** Throws `TableError`, naming the row. */
export function recordsOf(columns: readonly Column[], rows: number): Records {
  const named = byName(columns);
  const doses: Dose[] = [];
  const readings: Reading[] = [];
  const dropped: LeftOut[] = [];
  const seen = new Set<string>();
  let last: Event | undefined;
  for (let row = 0; row < rows; row++) {
    const subject = named.get('ID')!.text(row);
    if (subject === undefined) throw new TableError(`row ${row + 1} has no ID`);
    const cell = cellsOf(named, row, subject);
    const comment = named.get('C')?.text(row);
    if (comment !== undefined && comment !== '.' && comment !== '0') {
      dropped.push({ row, column: 'C', why: `it is marked ${JSON.stringify(comment)} as a comment` });
      continue;
    }
    const time = cell.number('TIME');
    if (time === undefined) throw cell.refusal('has no TIME');
    if (last?.subject !== subject) {
      if (seen.has(subject)) throw cell.refusal('stands apart from the other rows of its ID: sort the table by ID');
      seen.add(subject);
    } else if (time < last.time) throw cell.refusal(`goes back in time, after ${last.time}`);
    const compartment = cell.number('CMT') || undefined;
    if (compartment !== undefined && !(Number.isInteger(compartment) && compartment > 0))
      throw cell.refusal(`has CMT ${compartment}: a compartment that is turned off is not understood`);
    const event: Event = { row, subject, time, compartment };
    last = event;
    for (const name of foreign)
      if (cell.number(name)) throw cell.refusal(`has ${name} ${cell.number(name)}, which is not understood`);
    const amount = cell.number('AMT') ?? 0;
    const kind = named.has('EVID') ? cell.number('EVID') : amount === 0 ? 0 : 1;
    if (kind === 1) doses.push(doseOf(event, amount, cell));
    else if (kind !== 0 && kind !== 2)
      throw cell.refusal(
        kind === undefined
          ? 'has no EVID'
          : `has EVID ${kind}${kind === 3 || kind === 4 ? ': a reset is not understood' : ', which is not understood'}`,
      );
    else {
      const given = (['AMT', 'RATE', 'ADDL', 'SS'] as const).find((name) => cell.number(name));
      if (given) throw cell.refusal(`is no dose (EVID ${kind}) and has ${given} ${cell.number(given)}`);
      const reading = kind === 2 ? 'EVID is 2: it is neither a dose nor a reading' : readingOf(event, cell);
      if (typeof reading === 'string') dropped.push({ row, column: kind === 2 ? 'EVID' : 'DV', why: reading });
      else readings.push(reading);
    }
  }
  oneOf(readings, 'readings of compartments');
  oneOf(doses, 'doses into compartments');
  const kinds = new Set(readings.map(({ row, subject }) => cellsOf(named, row, subject).number('DVID')));
  if (kinds.size > 1) throw new TableError(`it has readings of ${kinds.size} kinds by DVID: one is understood`);
  if (doses.length === 0) throw new TableError('none of its rows is a dose');
  if (readings.length === 0) throw new TableError('none of its rows is a reading');
  return { doses, readings, dropped, columns: named };
}

interface Cells {
  /** undefined where it is missing, or the table has no such column. */
  number(name: string): number | undefined;
  limit(name: string): number | undefined;
  refusal(why: string): TableError;
}

function cellsOf(named: ReadonlyMap<string, Column>, row: number, subject: string): Cells {
  const refusal = (why: string): TableError => new TableError(`row ${row + 1} (ID ${subject}) ${why}`);
  return {
    refusal,
    limit: (name) => named.get(name)?.limits.get(row)?.at,
    number(name) {
      const column = named.get(name);
      if (!column) return undefined;
      const stray = column.stray(row);
      const limit = column.limits.get(row);
      if (limit && (name !== 'DV' || limit.side === 'above'))
        throw refusal(`has ${name} ${limit.side} ${limit.at}, which is not understood`);
      const text = stray ?? column.text(row);
      if (text === undefined || text === '.') return undefined;
      const value = Number(text);
      if (Number.isFinite(value) && column.type !== 'date') return value;
      throw refusal(`has ${name} ${JSON.stringify(text)}, which is no number`);
    },
  };
}

function doseOf(event: Event, amount: number, cell: Cells): Dose {
  const steady = cell.number('SS') ?? 0;
  if (steady !== 0) throw cell.refusal(`has SS ${steady}: a steady state is not understood`);
  if (!(amount > 0)) throw cell.refusal(`is a dose (EVID 1) of AMT ${amount}`);
  const rate = cell.number('RATE') ?? 0;
  if (rate < 0) throw cell.refusal(`has RATE ${rate}: a rate or duration that is estimated is not understood`);
  const more = cell.number('ADDL') ?? 0;
  const every = cell.number('II') ?? 0;
  if (!(Number.isInteger(more) && more >= 0)) throw cell.refusal(`has ADDL ${more}, which is no number of doses`);
  if (more > 0 && !(every > 0)) throw cell.refusal(`has ADDL ${more} and II ${every}: when they follow is not said`);
  return { ...event, amount, lasting: rate > 0 ? amount / rate : 0, more, every };
}

/** The reading, or why it is none. */
function readingOf(event: Event, cell: Cells): Reading | string {
  const missing = cell.number('MDV') ?? 0;
  if (missing !== 0) return `MDV is ${missing}`;
  const value = cell.number('DV');
  const flag = flags.map((name) => cell.number(name)).find((each) => each !== undefined);
  if (flag !== undefined && flag !== 0 && flag !== 1)
    throw cell.refusal(`has a flag ${flag} of censoring: 0 and 1 are understood`);
  const limit = limits.map((name) => cell.number(name)).find((each) => each !== undefined);
  const own = cell.limit('DV');
  if (own !== undefined) return { ...event, value: own, below: own };
  if (flag === 1) {
    const below = limit ?? value;
    if (below === undefined || !(below > 0))
      throw cell.refusal('is below a limit of quantification, and neither LLOQ nor DV says which');
    return { ...event, value: below, below };
  }
  if (value === undefined) return 'DV is missing';
  if (flag === undefined && limit !== undefined && value < limit) return { ...event, value: limit, below: limit };
  return { ...event, value, below: undefined };
}

function oneOf(events: readonly Event[], what: string): void {
  const all = [...new Set(events.map(({ compartment }) => compartment ?? 0))].sort((a, b) => a - b);
  if (all.length > 1) throw new TableError(`it has ${what} ${all.join(' and ')}: one is understood`);
}

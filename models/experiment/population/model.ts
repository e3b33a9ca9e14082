/**
 * The first model of a NONMEM table: one compartment, from which is eliminated in proportion, filled at once, by infusions or by
 * first-order absorption. What a reading sees is the sum of what its doses leave, each in closed form; clearance and volume
 * are log-normal over the subjects, and the effects are integrated out.
 */
import { TableError } from '../../tables/table.ts';
import type { Sharing } from '../sharing.ts';
import { exposuresOf, type Exposure } from './exposures.ts';
import { covariatesOf, type Column, type Records } from './records.ts';
import { startOf, type Start } from './starts.ts';

export const populationShapes = ['iv-bolus', 'infusion', 'oral-one-compartment'] as const;
export type PopulationShape = (typeof populationShapes)[number];

export interface Population {
  readonly shape: PopulationShape;
  readonly document: Readonly<Record<string, unknown>>;
}

interface Parameter {
  readonly meaning: string;
  readonly start: (start: Start) => number;
}

const parameters = {
  CL: { meaning: 'Clearance of the typical subject.', start: ({ V, ke }) => V * ke },
  V: { meaning: 'Volume of distribution of the typical subject.', start: ({ V }) => V },
  ke: { meaning: 'Rate of elimination of the typical subject.', start: ({ ke }) => ke },
  ka: { meaning: 'Rate of absorption of the typical subject.', start: ({ ka = NaN }) => ka },
} satisfies Record<string, Parameter>;
type Name = keyof typeof parameters;

const formulas: Readonly<Record<PopulationShape, string>> = {
  'iv-bolus': 'amount/V*exp(-ke*since)',
  infusion:
    'run = max(lasting, 1e-9)\nif(lasting > 0, amount/(run*ke*V)*(exp(-ke*max(since - run, 0)) - exp(-ke*since)), amount/V*exp(-ke*since))',
  'oral-one-compartment': 'amount*ka/(V*(ka - ke))*(exp(-ke*since) - exp(-ka*since))',
};

/** How subjects scatter at first, on the scale of logs. */
const spread = 0.3;

/** Throws `TableError`: of doses that are not understood, of parameters that there are not. */
export function populationOf(
  name: string,
  records: Records,
  said: ReadonlyMap<string, Sharing> | undefined,
  wanted: PopulationShape | undefined,
): Population {
  const { readings, doses } = records;
  const shape = wanted ?? foundShape(records);
  const isOral = shape === 'oral-one-compartment';
  if (shape !== 'infusion' && doses.some(({ lasting }) => lasting > 0))
    throw new TableError(
      `${shape} knows no RATE, and row ${doses.find(({ lasting }) => lasting > 0)!.row + 1} has one`,
    );
  const exposures = exposuresOf(doses, readings, !isOral);
  const start = startOf(readings, exposures, isOral);
  const sharing = sharingOf(shape, said);
  return { shape, document: documentOf(name, { records, exposures, start, shape, sharing }) };
}

/** By RATE, by the compartments of doses and readings, or else by which comes nearer to the readings of all. */
function foundShape({ doses, readings }: Records): PopulationShape {
  if (doses.some(({ lasting }) => lasting > 0)) return 'infusion';
  const [given, read] = [doses[0]!.compartment, readings[0]!.compartment];
  if (given !== undefined && read !== undefined && given !== read) {
    if (given === 1 && read === 2) return 'oral-one-compartment';
    throw new TableError(
      `it has doses into compartment ${given} and readings of compartment ${read}: there is one beside that of absorption`,
    );
  }
  const exposures = exposuresOf(doses, readings, false);
  const [oral, blood] = [true, false].map((isOral) => startOf(readings, exposures, isOral).squares) as [number, number];
  return oral < 0.8 * blood ? 'oral-one-compartment' : 'iv-bolus';
}

/** Clearance and volume scatter unless it is said otherwise; `ke` in place of one of them where it is named. */
function sharingOf(shape: PopulationShape, said: ReadonlyMap<string, Sharing> = new Map()): Map<Name, boolean> {
  const rates: Name[] = !said.has('ke') ? ['CL', 'V'] : said.has('V') && !said.has('CL') ? ['V', 'ke'] : ['CL', 'ke'];
  const names: Name[] = shape === 'oral-one-compartment' ? [...rates, 'ka'] : rates;
  for (const [name, sharing] of said) {
    if (name !== '*' && !names.includes(name as Name))
      throw new TableError(`--parameters: a population of ${shape} has ${names.join(', ')} and no "${name}"`);
    if (sharing === 'group')
      throw new TableError(`--parameters: "${name}" of a population is "shared" or "hierarchical"`);
  }
  return new Map(
    names.map((name) => {
      const own = said.get(name) ?? said.get('*') ?? (name === 'ka' ? 'shared' : 'hierarchical');
      return [name, own === 'hierarchical'];
    }),
  );
}

type Cells = (number | string | null)[];
type Block = Readonly<Record<string, unknown>>;

/** What a population's document is made of. */
interface Told {
  readonly records: Records;
  readonly exposures: readonly Exposure[];
  readonly start: Start;
  readonly shape: PopulationShape;
  /** Whether each parameter scatters between subjects. */
  readonly sharing: ReadonlyMap<Name, boolean>;
  /** Whether no reading comes after more than one dose: then what it needs of its dose stands in its own row. */
  readonly direct: boolean;
}

function documentOf(name: string, said: Omit<Told, 'direct'>): Readonly<Record<string, unknown>> {
  const direct = said.exposures.every(({ reading }, i) => reading !== said.exposures[i + 1]?.reading);
  const told = { ...said, direct };
  const scatters = scattering(told).length > 0;
  return {
    ...{ format: 'cotangent/1', name },
    tables: tablesOf(told),
    blocks: [
      ...columnBlocks(told),
      ...parameterBlocks(told),
      ...effectBlocks(told),
      ...curveBlocks(told),
      lossOf(told),
    ],
    objective: 'loss',
    ...(scatters && { fit: { marginal: 'laplace' } }),
  };
}

const scattering = ({ sharing }: Told): Name[] => [...sharing].flatMap(([each, scatters]) => (scatters ? [each] : []));
const isCensored = ({ records }: Told): boolean => records.readings.some(({ below }) => below !== undefined);

function tablesOf(told: Told): Readonly<Record<string, { readonly columns: Readonly<Record<string, Cells>> }>> {
  const { records, exposures, shape, direct } = told;
  const { readings } = records;
  const own = new Map(exposures.map((exposure) => [exposure.reading, exposure]));
  const list = (of: (exposure: Exposure) => number): Cells =>
    direct ? readings.map((_, i) => (own.has(i) ? of(own.get(i)!) : 0)) : exposures.map(of);
  const given = {
    amount: list(({ amount }) => amount),
    since: list(({ since }) => since),
    ...(shape === 'infusion' && { lasting: list(({ lasting }) => lasting) }),
  };
  const columns: Record<string, Cells> = {
    subject: readings.map(({ subject }) => subject),
    time: readings.map(({ time }) => time),
    DV: readings.map(({ value }) => value),
    ...(isCensored(told) && { below: readings.map(({ below }) => below ?? null) }),
    ...(direct && given),
  };
  for (const column of covariatesOf(records)) {
    const free = Object.hasOwn(columns, column.name) ? `${column.name} (covariate)` : column.name;
    columns[free] = readings.map(({ row }) => cellOf(column, row));
  }
  const doses = { reading: exposures.map(({ reading }) => reading), ...given };
  return { data: { columns }, ...(!direct && { doses: { columns: doses } }) };
}

function unitOf({ records }: Told, of: string): Block {
  const said = records.columns.get(of)?.unit;
  return said === undefined || said === '' ? {} : { unit: said };
}

function columnBlocks(told: Told): Block[] {
  const { shape, direct } = told;
  const table = direct ? 'data' : 'doses';
  const column = (id: string, of: string, from: string, more: Block = {}): Block => ({
    ...{ id, kind: 'column', table: of, column: from },
    ...more,
  });
  const time = unitOf(told, 'TIME');
  return [
    column('subject', 'data', 'subject', { type: 'category' }),
    column('time', 'data', 'time', time),
    column('concentration', 'data', 'DV', unitOf(told, 'DV')),
    ...(isCensored(told) ? [column('below', 'data', 'below', unitOf(told, 'DV'))] : []),
    ...(direct ? [] : [column('reading', 'doses', 'reading')]),
    column('amount', table, 'amount', unitOf(told, 'AMT')),
    column('since', table, 'since', { ...time, note: 'Time since the dose.' }),
    ...(shape === 'infusion'
      ? [column('lasting', table, 'lasting', { ...time, note: 'Duration of the infusion.' })]
      : []),
  ];
}

function parameterBlocks({ start, sharing }: Told): Block[] {
  return [
    ...[...sharing.keys()].map((each) => ({
      ...{ id: each, kind: 'parameter', initial: rounded(parameters[each].start(start)), scale: 'log' },
      note: parameters[each].meaning,
    })),
    {
      ...{ id: 'sigma', kind: 'parameter', initial: rounded(start.sigma), scale: 'log' },
      note: 'Standard deviation of the readings.',
    },
  ];
}

function effectBlocks(told: Told): Block[] {
  const names = scattering(told);
  if (names.length === 0) return [];
  return [
    {
      ...{ id: 'between', kind: 'random-effect', like: 'subject', names },
      ...{ sd: names.map(() => spread), note: 'How subjects differ, on the scale of logs.' },
    },
    ...names.map((each) => ({
      ...{ id: `${each}_deviation`, kind: 'gather', from: `between.${each}`, indices: 'subject' },
    })),
  ];
}

/** The subjects' own parameters, and the curve in V and ke: V = CL/ke, CL = V·ke. */
function curveBlocks(told: Told): Block[] {
  const { records, shape, sharing, direct } = told;
  const written: [string, string][] = [
    ['V', sharing.has('V') ? 'V_own' : 'CL_own/ke_own'],
    ['ke', sharing.has('ke') ? 'ke_own' : 'CL_own/V_own'],
    ...(sharing.has('ka') ? [['ka', 'ka_own'] as [string, string]] : []),
  ];
  const ownFormula = (text: string): string =>
    text.replace(/(\w+)_own/g, (_, each: string) =>
      sharing.get(each as Name) ? `${each}*exp(${each}_deviation)` : each,
    );
  const outputs = Object.fromEntries(written.map(([each, text]) => [`${each}_subject`, bracketed(ownFormula(text))]));
  const rates = { id: 'rates', kind: 'map', outputs };
  const inputs = Object.fromEntries(written.map(([each]) => [each, `rates.${each}_subject`]));
  const formula = formulas[shape];
  if (direct) return [rates, { id: 'curve', kind: 'map', formula, inputs, ...unitOf(told, 'DV') }];
  const scatters = scattering(told).length > 0;
  const taken = written.map(([each]) => ({
    ...{ id: `${each}_dose`, kind: 'gather', from: `rates.${each}_subject`, indices: 'reading' },
  }));
  const doseInputs = Object.fromEntries(written.map(([each]) => [each, `${each}_dose`]));
  return [
    rates,
    ...(scatters ? taken : []),
    {
      ...{ id: 'share', kind: 'map', formula, inputs: scatters ? doseInputs : inputs },
      note: 'What is left of each dose.',
    },
    {
      ...{ id: 'curve', kind: 'histogram', operator: 'add', keys: 'reading', values: 'share' },
      bins: records.readings.length,
    },
  ];
}

const lossOf = (told: Told): Block => ({
  ...{ id: 'loss', kind: 'likelihood', family: 'normal', observed: 'concentration', mean: 'curve', sigma: 'sigma' },
  ...(isCensored(told) && { censored: { left: 'below' } }),
});

const bracketed = (text: string): string => text.replace(/^(.+)\/(.+\*.+)$/, '$1/($2)');
const rounded = (value: number): number => Number(value.toPrecision(4));

function cellOf({ type, text }: Column, row: number): number | string | null {
  const cell = text(row);
  if (cell === undefined) return null;
  return type === 'real' || type === 'int' ? Number(cell) : cell;
}

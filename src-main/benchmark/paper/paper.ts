/**
 * AD overhead as the paper measures it: the time of the differentiated program, which computes the primal result too,
 * over the time of the primal. Keys are data, so their order is prepared before the clock starts.
 */
import {
  type Device,
  OutOfMemory,
  profiles,
  type Program,
  type Statement,
  vjp,
  type Choice,
} from '../../../engine/index.ts';
import { type Dataset, elementsOf, smaller } from '../datasets.ts';
import type { Measurement, Output, Suite, SuiteOptions } from '../suite.ts';
import { milliseconds, ratio } from '../shown.ts';
import { timeSubject } from '../subject.ts';
import { type TimingOptions, usualTiming } from '../timing.ts';
import { floorOf, paperBytes } from './least-bytes.ts';
import { elementBytes, origin, primalOf } from './programs.ts';
import { aimOf, type PaperRow, paperRows } from './rows.ts';

export interface PaperMeasurement extends Measurement {
  readonly dataset: Dataset;
  readonly bins: number | null;
  readonly primalMs: number;
  /** Of value and adjoints together. */
  readonly gradientMs: number;
  readonly overhead: number;
  readonly primalGBs: number;
  readonly rule: string;
  readonly paperOverhead: number;
  readonly competitorOverhead: number | null;
  readonly floor: number | null;
}

/** Slow rows: once will do. */
const competitorTiming: TimingOptions = { ...usualTiming, least: 1 };

interface Differentiated {
  readonly program: Program;
  readonly rule: string;
}

/** By the rule that is chosen on this device, or by another. */
function differentiate(primal: Program, { kind }: Device, rule?: string): Differentiated {
  let chosen = '';
  const onChoice = ({ construct }: Statement, choice: Choice): void => {
    if (construct.kind === choice.rule.construct) chosen = choice.rule.name;
  };
  const force = new Map(rule === undefined ? [] : [[origin, rule]]);
  return { program: vjp(primal, { profile: profiles[kind], force, onChoice }), rule: chosen };
}

/** Runs `work` on the dataset, or on the largest smaller one that fits. */
async function fitting<T>(
  dataset: Dataset,
  work: (dataset: Dataset) => Promise<T>,
  onSmaller: (dataset: Dataset, error: OutOfMemory) => void,
): Promise<T> {
  try {
    return await work(dataset);
  } catch (error) {
    const next = smaller[dataset];
    if (!(error instanceof OutOfMemory) || next === undefined) throw error;
    onSmaller(next, error);
    return fitting(next, work, onSmaller);
  }
}

const place = ({ name }: PaperRow, bins: number | null): string => (bins === null ? name : `${name}, ${bins} bins`);

async function measureRow(
  device: Device,
  row: PaperRow,
  bins: number | null,
  { dataset: wanted, elements }: SuiteOptions,
  { note }: Output<PaperMeasurement>,
): Promise<PaperMeasurement> {
  const primal = primalOf(row, bins);
  const derivative = differentiate(primal.program, device);
  const { construct, competitor } = row;
  const size = elementBytes(row, device.precision);
  const lengthOf = (dataset: Dataset): number =>
    Math.max(1, Math.round(elementsOf(dataset, elements) * row.share[dataset === 'D2' ? 'D2' : 'D1']));
  const here = place(row, bins);

  const ours = await fitting(
    wanted,
    async (dataset) => {
      const length = lengthOf(dataset);
      const value = await timeSubject(device, primal, primal.program, length);
      return { dataset, primal: value, gradient: await timeSubject(device, primal, derivative.program, length) };
    },
    (dataset, { message }) => note(`${here}: ${message}: ${dataset} instead`),
  );

  const competing = async (rule: string): Promise<number> => {
    const { program } = differentiate(primal.program, device, rule);
    const found = await fitting(
      ours.dataset,
      async (dataset) => {
        const length = lengthOf(dataset);
        const gradient = await timeSubject(device, primal, program, length, competitorTiming);
        const same = dataset === ours.dataset;
        return { gradient, primal: same ? ours.primal : await timeSubject(device, primal, primal.program, length) };
      },
      (dataset, { message }) => note(`${here} by ${rule}: ${message}: ${dataset} for this rule`),
    );
    return found.gradient.milliseconds / found.primal.milliseconds;
  };

  const { dataset } = ours;
  const n = lengthOf(dataset);
  const primalMs = ours.primal.milliseconds;
  const gradientMs = ours.gradient.milliseconds;
  return {
    row: row.name,
    dataset,
    n,
    bins,
    device: device.kind,
    precision: device.precision,
    runs: ours.gradient.runs,
    primalMs,
    gradientMs,
    overhead: gradientMs / primalMs,
    primalGBs: paperBytes(construct, n, size) / primalMs / 1e6,
    rule: derivative.rule,
    paperOverhead: row.paper[dataset === 'D2' ? 'D2' : 'D1'][row.bins.indexOf(bins)]!,
    competitorOverhead: competitor === undefined ? null : await competing(competitor),
    floor: floorOf(construct, derivative.rule, size, device.kind),
  };
}

/** At or below the aim, or within a tenth of the floor where that is above the aim. */
function isMet({ row, bins, device, overhead, floor }: PaperMeasurement): boolean {
  const aim = aimOf(row, bins, device);
  return overhead <= (floor !== null && floor > aim ? 1.1 * floor : aim);
}

export const paper: Suite<PaperMeasurement> = {
  names: paperRows.map(({ name }) => name),
  columns: [
    { heading: 'row', text: 30, cell: ({ row }) => row },
    { heading: 'bins', cell: ({ bins }) => (bins === null ? '' : String(bins)) },
    { heading: 'dataset', cell: ({ dataset }) => dataset },
    { heading: 'primal', cell: ({ primalMs }) => milliseconds(primalMs) },
    { heading: 'GB/s', cell: ({ primalGBs }) => primalGBs.toFixed(1) },
    { heading: 'gradient', cell: ({ gradientMs }) => milliseconds(gradientMs) },
    { heading: 'overhead', cell: ({ overhead }) => ratio(overhead) },
    { heading: 'floor', cell: ({ floor }) => (floor === null ? '' : ratio(floor)) },
    { heading: 'paper', cell: ({ paperOverhead }) => ratio(paperOverhead) },
    { heading: 'aim', cell: ({ row, bins, device }) => ratio(aimOf(row, bins, device)) },
    { heading: 'met', text: 3, cell: (measured) => (isMet(measured) ? 'yes' : 'no') },
    {
      heading: 'competitor',
      cell: ({ competitorOverhead }) => (competitorOverhead === null ? '' : ratio(competitorOverhead)),
    },
    { heading: 'runs', cell: ({ runs }) => String(runs) },
    { heading: 'rule', text: 26, cell: ({ rule }) => rule },
  ],
  summary(rows) {
    const missed = rows.filter((row) => !isMet(row)).length;
    return `${rows.length - missed} of ${rows.length} rows are at or below their aim, or within a tenth of a floor above it.`;
  },
  async run(device: Device, options: SuiteOptions, output: Output<PaperMeasurement>) {
    const failures: unknown[] = [];
    for (const row of paperRows.filter(({ name }) => name.startsWith(options.only)))
      for (const bins of row.bins) {
        output.progress(place(row, bins));
        try {
          output.row(await measureRow(device, row, bins, options, output));
        } catch (error) {
          // A machine with a GPU is there for minutes: what one row fails by is told, and the others are measured.
          output.note(`${place(row, bins)} is left out: ${error instanceof Error ? error.message : String(error)}`);
          failures.push(error);
        }
      }
    if (failures.length > 0) throw failures[0];
  },
};

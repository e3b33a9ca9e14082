/**
 * From a slider's move to what is drawn: the values that blocks show, the plots of five curves, the check of the reply
 * against the contract, and its way there and back as bytes, by which it crosses to another process. Nothing is compiled on the way.
 */
import * as v from 'valibot';
import type { Device } from '../../../engine/index.ts';
import { evaluateAll } from '../../compute/evaluate.ts';
import { createSessions } from '../../compute/sessions.ts';
import { decode, encode } from '../../contract/codec.ts';
import { requests } from '../../contract/contract.ts';
import { milliseconds } from '../shown.ts';
import type { Measurement, Output, Suite, SuiteOptions } from '../suite.ts';
import { median } from '../timing.ts';
import { curves, fiveCurves, shown } from './document.ts';

const stages = ['values', 'plots', 'check', 'copy'] as const;
type Stages = { readonly [S in (typeof stages)[number] as `${S}Ms`]: number };

export interface SliderMeasurement extends Measurement, Stages {
  readonly curves: number;
  readonly milliseconds: number;
}

const warmUps = 30;
const runs = 50;

const tables = [12, 1000, 10_000].map((rows) => ({ row: `${curves} curves of ${rows}`, rows }));

/** Moves the slider once, and says how long each stage took. */
type Move = (turn: number) => Promise<readonly number[]>;

async function mover(rows: number, device: Device): Promise<Move> {
  const session = await createSessions('').get(fiveCurves(rows), { kind: 'unsaved' });
  return async (turn) => {
    const parameters = { k: 0.3 + turn / 1000 };
    const marks = [performance.now()];
    const mark = () => void marks.push(performance.now());
    const { values, faults } = await evaluateAll(shown, parameters, (some) => session.evaluator(some, device));
    mark();
    const plots = await (await session.plotter(device)).at(parameters, { thinned: true });
    mark();
    const reply = { plots, values: Object.fromEntries(values), faults, milliseconds: 0 };
    v.assert(requests['model.plots'].output, reply);
    mark();
    decode(encode(reply));
    mark();
    return stages.map((_, i) => marks[i + 1]! - marks[i]!);
  };
}

export const sliders: Suite<SliderMeasurement> = {
  names: tables.map(({ row }) => row),
  columns: [
    { heading: 'what moves', text: 20, cell: ({ row }) => row },
    { heading: 'a move', cell: (measured) => milliseconds(measured.milliseconds) },
    { heading: 'values', cell: ({ valuesMs }) => milliseconds(valuesMs) },
    { heading: 'plots', cell: ({ plotsMs }) => milliseconds(plotsMs) },
    { heading: 'check', cell: ({ checkMs }) => milliseconds(checkMs) },
    { heading: 'copy', cell: ({ copyMs }) => milliseconds(copyMs) },
    { heading: 'runs', cell: (measured) => String(measured.runs) },
  ],
  async run(device: Device, { only }: SuiteOptions, { row: emit, progress }: Output<SliderMeasurement>) {
    for (const { row, rows } of tables.filter(({ row: name }) => name.startsWith(only))) {
      progress(row);
      const move = await mover(rows, device);
      for (let turn = 0; turn < warmUps; turn++) await move(runs + turn);
      const measured: (readonly number[])[] = [];
      for (let turn = 0; turn < runs; turn++) measured.push(await move(turn));
      const [valuesMs, plotsMs, checkMs, copyMs] = stages.map((_, i) => median(measured.map((times) => times[i]!))) as [
        number,
        number,
        number,
        number,
      ];
      emit({
        ...{ row, n: rows, device: device.kind, precision: device.precision, runs, curves },
        milliseconds: median(measured.map((times) => times.reduce((sum, time) => sum + time, 0))),
        ...{ valuesMs, plotsMs, checkMs, copyMs },
      });
    }
  },
};

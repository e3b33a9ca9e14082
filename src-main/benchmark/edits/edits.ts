/**
 * From an edit of a document to its gradient: what a person waits for. A document is read, its types, shapes and operators'
 * laws are found, it is differentiated, compiled, and run once. Programs are known again by their plans, so a parameter's
 * new start compiles nothing. The first row is of a process that has compiled nothing before, all the others of one that
 * has: the usual case, since documents are edited and not only opened.
 */
import { adjointName, cotangentName, profiles, vjp, type Device } from '../../../engine/index.ts';
import { parametersOf } from '../../../models/load/model.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { demandModel, load } from '../../compute/running/load.ts';
import { startInstance } from '../../compute/running/run.ts';
import { milliseconds } from '../shown.ts';
import type { Measurement, Output, Suite, SuiteOptions } from '../suite.ts';
import { median } from '../timing.ts';
import { thirtyBlocks, type Edit } from './document.ts';

const stages = ['read', 'differentiate', 'compile', 'run'] as const;
type Stages = { readonly [S in (typeof stages)[number] as `${S}Ms`]: number };

export interface EditMeasurement extends Measurement, Stages {
  readonly blocks: number;
  readonly milliseconds: number;
}

const warmUps = 30;
const runs = 50;

/** What is changed, and how often it is timed. */
const edits: readonly { readonly row: string; readonly runs: number; edit(turn: number): Edit }[] = [
  { row: 'the first', runs: 1, edit: () => ({ reference: 20, initial: 1 }) },
  { row: 'a formula', runs, edit: (turn) => ({ reference: 20 + (turn + 1) / 1000, initial: 1 }) },
  { row: 'a start value', runs, edit: (turn) => ({ reference: 20, initial: 1 + (turn + 1) / 1000 }) },
];

async function gradient(device: Device, edit: Edit): Promise<{ blocks: number; times: readonly number[] }> {
  const marks = [performance.now()];
  const mark = () => void marks.push(performance.now());
  const model = demandModel(await load(thirtyBlocks(edit), undefined));
  mark();
  const by = parametersOf(model).map(({ id }) => id);
  const of = model.document.objective as readonly string[];
  const lowered = lowerModel(model, { outputs: of, sources: by });
  const program = vjp(lowered.program, { of, by, profile: profiles[device.kind] });
  mark();
  const instance = await startInstance(device, lowered, program);
  for (const output of of) instance.write(cotangentName(output), [1]);
  mark();
  await instance.run();
  for (const id of by) await instance.read(adjointName(id));
  instance.release();
  mark();
  return { blocks: model.document.blocks.length, times: stages.map((_, i) => difference(marks, i)) };
}

function difference(marks: readonly number[], at: number): number {
  return marks[at + 1]! - marks[at]!;
}

export const editing: Suite<EditMeasurement> = {
  names: edits.map(({ row }) => row),
  columns: [
    { heading: 'what is edited', text: 16, cell: ({ row }) => row },
    { heading: 'blocks', cell: ({ blocks }) => String(blocks) },
    { heading: 'to the gradient', cell: (measured) => milliseconds(measured.milliseconds) },
    { heading: 'read', cell: ({ readMs }) => milliseconds(readMs) },
    { heading: 'differentiate', cell: ({ differentiateMs }) => milliseconds(differentiateMs) },
    { heading: 'compile', cell: ({ compileMs }) => milliseconds(compileMs) },
    { heading: 'run', cell: ({ runMs }) => milliseconds(runMs) },
    { heading: 'runs', cell: (measured) => String(measured.runs) },
  ],
  async run(device: Device, { only }: SuiteOptions, { row: emit, progress }: Output<EditMeasurement>) {
    for (const { row, runs: count, edit } of edits.filter(({ row: name }) => name.startsWith(only))) {
      progress(row);
      if (count > 1) for (let turn = 0; turn < warmUps; turn++) await gradient(device, edit(count + turn));
      const measured: { readonly blocks: number; readonly times: readonly number[] }[] = [];
      for (let turn = 0; turn < count; turn++) measured.push(await gradient(device, edit(turn)));
      const blocks = measured[0]?.blocks ?? 0;
      const [readMs, differentiateMs, compileMs, runMs] = stages.map((_, i) =>
        median(measured.map(({ times }) => times[i]!)),
      ) as [number, number, number, number];
      emit({
        ...{ row, n: blocks, device: device.kind, precision: device.precision, runs: count, blocks },
        milliseconds: median(measured.map(({ times }) => times.reduce((sum, time) => sum + time, 0))),
        ...{ readMs, differentiateMs, compileMs, runMs },
      });
    }
  },
};

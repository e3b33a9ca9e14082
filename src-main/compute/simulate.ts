/** A model over a time axis of one's own: what an ode block gives at even steps, at the tolerance that is asked for. */
import type { Block } from '../../models/blocks/block.ts';
import type { Document } from '../../models/format/document.ts';
import { isDocumentNumber } from '../../models/notation/numbers.ts';
import { withNamed } from '../../models/format/with-named.ts';
import type { Model } from '../../models/load/model.ts';
import { outputReferences } from '../../models/load/model.ts';
import type { Device } from '../../engine/index.ts';
import { createEvaluator } from './evaluate.ts';
import { Refused } from '../refused.ts';

export interface SimulationRequest {
  readonly start: number;
  readonly end: number;
  readonly steps: number;
  /** Names of outputs; all that the document speaks of unless said. */
  readonly outputs: readonly string[] | undefined;
  readonly relative: number | undefined;
  readonly absolute: number | undefined;
}

/** The times of a request: `steps` + 1 of them. */
export function timesOf({ start, end, steps }: SimulationRequest): number[] {
  return Array.from({ length: steps + 1 }, (_, i) => start + (i * (end - start)) / steps);
}

/** The document with its time axis, tolerances and names as they are asked for. Throws `Refused`. */
export function simulated(document: Document, request: SimulationRequest): Document {
  const { start, relative, absolute } = request;
  const axis = axisOf(document);
  const blocks = document.blocks.map((block): Block => {
    if (block.id === axis) return { id: axis, kind: 'column', table: simulationTable, column: 'time', ...said(block) };
    if (block.kind !== 'ode') return block;
    const tolerance = {
      ...block.tolerance,
      ...(relative !== undefined && { relative }),
      ...(absolute !== undefined && { absolute }),
    };
    return {
      ...block,
      ...(isDocumentNumber(block.from) && Number(block.from) > start && { from: start }),
      ...(Object.keys(tolerance).length > 0 && { tolerance }),
    };
  });
  const tables = { ...document.tables, [simulationTable]: { columns: { time: timesOf(request) } } };
  return withNamed({ ...document, tables, blocks }, request.outputs ?? []);
}

const simulationTable = 'simulation';

const said = ({ label, unit }: Block): { label?: string; unit?: string } => ({
  ...(label !== undefined && { label }),
  ...(unit !== undefined && { unit }),
});

/** The one range over which everything that is solved by steps is asked for. */
function axisOf(document: Document): string {
  const times = new Set(document.blocks.flatMap((block) => (block.kind === 'ode' ? [block.times] : [])));
  const [axis = 'time', ...more] = times;
  const block = document.blocks.find(({ id }) => id === axis);
  if (more.length === 0 && block?.kind === 'range') return axis;
  throw new Refused('it is not plain what would be simulated: an ode block at the times of one range is wanted');
}

/** All names that a document's outputs have; of an output that the file calls otherwise that of the file, if it is a plain one. */
export function simulatedNames(model: Model): string[] {
  const further = Object.keys(model.document.names ?? {});
  const shadowed = new Set([...model.graph.names].flatMap(([name, output]) => (name.includes('(') ? [] : [output])));
  const own = [...model.graph.top.blocks.keys()].flatMap((id) => outputReferences(model, id));
  return [...own.filter((reference) => !shadowed.has(reference)), ...further];
}

/** Of each output as many numbers as there are times; what stays as it is stands at all of them. */
export async function simulate(
  model: Model,
  outputs: readonly string[],
  times: readonly number[],
  device: Device,
): Promise<Map<string, number[]>> {
  const evaluator = await createEvaluator(model, outputs, device);
  try {
    const found = await evaluator.at({});
    return new Map(
      outputs.map((name) => {
        const { values = [], shape = [] } = found.get(name) ?? {};
        if (shape.length === 0) return [name, times.map(() => values[0]!)];
        if (shape.length === 1 && shape[0] === times.length) return [name, Array.from(values as ArrayLike<number>)];
        throw new Refused(`"${name}" is no course over time`);
      }),
    );
  } finally {
    evaluator.release();
  }
}

/** `simulate`: courses over time. */
import { applyOverrides } from '../../models/format/override.ts';
import { readLeniently } from '../../models/format/parse.ts';
import { createDevices } from '../compute/running/devices.ts';
import { demandModel, loadDocument } from '../compute/running/load.ts';
import { asRefused, refusedFor } from '../compute/running/refusals.ts';
import { elementsOf } from '../compute/running/run.ts';
import { simulate as run, simulated, simulatedNames, timesOf, type SimulationRequest } from '../compute/simulate.ts';
import { readDocument } from '../files/documents.ts';
import { documentFolder } from '../files/locations.ts';
import { parseOverrides } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printColumns, printJson, record, shown } from './output/output.ts';

interface SimulateOptions extends ModelOptions {
  readonly start: number;
  readonly end: number;
  readonly steps: number;
  readonly output?: readonly string[];
  readonly relative?: number;
  readonly absolute?: number;
}

export async function simulate(path: string, options: SimulateOptions): Promise<void> {
  const { start, end, steps, output, relative, absolute } = options;
  const read = readLeniently(await readDocument(path));
  if (!read.document || read.broken.size > 0) throw refusedFor(read.problems);
  const { document, problems } = applyOverrides(read.document, parseOverrides(options.set));
  if (problems.length > 0) throw refusedFor(problems);
  const folder = documentFolder(path);
  const request: SimulationRequest = { start, end, steps, outputs: output, relative, absolute };
  const names = output ?? simulatedNames(demandModel(await loadDocument(document, folder)));
  const model = demandModel(await loadDocument(simulated(document, { ...request, outputs: names }), folder));
  const time = timesOf(request);
  const devices = createDevices();
  try {
    const values = await run(model, names, time, await devices.choose(options, elementsOf(model)));
    if (options.json) printJson({ time, values: record(values) });
    else
      printColumns(
        [
          ['time', ...names],
          ...time.map((t, i) => [t, ...names.map((name) => values.get(name)?.[i] ?? NaN)].map(shown)),
        ],
        new Set([0, ...names.map((_, i) => i + 1)]),
      );
  } catch (error) {
    throw asRefused(error);
  } finally {
    devices.close();
  }
}

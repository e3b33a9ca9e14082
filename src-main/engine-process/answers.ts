/** Answers what the window asks about a model, in a worker thread. */
import type { Device } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { WireAdjoint } from '../compute/derivatives/adjoints.ts';
import { evaluateAll } from '../compute/evaluate.ts';
import type { ParameterValues } from '../compute/running/run.ts';
import { fittedValues } from '../compute/fit/fitted.ts';
import { asRefused } from '../compute/running/refusals.ts';
import type { Bands, Plotter } from '../compute/plots/plots.ts';
import type { Devices } from '../compute/running/devices.ts';
import { demandModel } from '../compute/running/load.ts';
import { elementsOf } from '../compute/running/run.ts';
import { demandSound, type Session, type Sessions } from '../compute/sessions.ts';
import { parseReference } from '../../models/notation/references.ts';
import { readDocument } from '../../models/format/parse.ts';
import { modelMeaning, type Meaning } from '../../models/lower/meaning.ts';
import { inlineColumns, type Uses } from '../../models/tables/inline.ts';
import { TableError, tableText } from '../../models/tables/table.ts';
import type { modelRequests, Problem, RequestOutput } from '../contract/contract.ts';
import type { Plot } from '../contract/plots.ts';
import type { DeviceChoice } from '../device-choice.ts';
import { reportHtml } from '../export/report.ts';
import { exportModel } from '../export/targets.ts';
import { outlivingGpu } from '../compute/outliving-gpu.ts';
import { Refused } from '../refused.ts';
import type { Handlers } from '../router.ts';

/** More rows at once than a table view shows. */
const mostRows = 1000;

/** As the contract has it: no key stands for what is not there. */
function sent({ firstMissing, shape, sample, ...wire }: WireAdjoint): RequestOutput<'model.adjoints'>['wires'][number] {
  return { ...wire, shape: [...shape], sample: [...sample], ...(firstMissing !== undefined && { firstMissing }) };
}

function meaningSent({ objective, outputs, quantities }: Meaning): RequestOutput<'model.check'>['meaning'] {
  return {
    ...(objective !== undefined && { objective }),
    outputs: Object.fromEntries(outputs),
    quantities: Object.fromEntries(quantities),
  };
}

/** As what each column of a table is taken. */
function usesOf({ graph }: Model, table: string): Uses {
  const columns = graph.nodes.flatMap(({ block }) => (block.kind === 'column' && block.table === table ? [block] : []));
  const uses = new Map<string, (typeof columns)[number]['type'][]>();
  for (const { column, type } of columns) uses.set(column, [...(uses.get(column) ?? []), type]);
  return uses;
}

const errorsOf = ({ problems }: Session): Problem[] => problems.filter(({ severity }) => severity === 'error');

/** Of a model that is part of its document: whether an output is of that part, and not of what was left out. */
const had =
  ({ model }: Session, { graph }: Model) =>
  (reference: string): boolean =>
    model !== undefined || graph.top.blocks.has(parseReference(reference.split('/')[0]!)?.block ?? '');

/** A model at fault at this point has no plots there, and says why. */
async function plotsOrFaults(
  plotter: () => Promise<Plotter>,
  parameters: ParameterValues,
  bands: Bands | undefined,
): Promise<{ readonly plots: readonly Plot[]; readonly faults: readonly Problem[] }> {
  try {
    return {
      plots: await (await plotter()).at(bands ? fittedValues(bands.fit) : parameters, { bands, thinned: true }),
      faults: [],
    };
  } catch (caught) {
    const error = asRefused(caught);
    if (!(error instanceof Refused)) throw error;
    const { problems, message } = error;
    return { plots: [], faults: problems.length > 0 ? problems : [{ severity: 'error', message }] };
  }
}

export function answers(
  sessions: Sessions,
  devices: Devices,
  choice: DeviceChoice,
): Handlers<keyof typeof modelRequests> {
  const onDevice = <T>(model: Model, work: (device: Device) => Promise<T>): Promise<T> =>
    outlivingGpu(devices, { device: choice }, elementsOf(model), work);
  return {
    async 'model.check'({ document, location }) {
      const { blocks, problems, sound, isWhole, handle } = await sessions.get(document, location);
      return {
        blocks: [...blocks],
        problems: [...problems],
        ...(sound && { meaning: meaningSent(modelMeaning(sound)) }),
        ...(isWhole && { handle }),
      };
    },

    'model.read'({ document }) {
      const read = readDocument(document);
      return { problems: 'problems' in read ? [...read.problems] : [] };
    },

    async 'model.evaluate'({ document, location, outputs, parameters }) {
      const startedAt = performance.now();
      const session = await sessions.get(document, location);
      const model = demandSound(session);
      const { values, faults } = await onDevice(model, (device) =>
        evaluateAll(outputs.filter(had(session, model)), parameters, (some) => session.evaluator(some, device)),
      );
      return {
        values: Object.fromEntries(values),
        faults: [...errorsOf(session), ...faults],
        milliseconds: performance.now() - startedAt,
      };
    },

    async 'model.plots'({ handle, parameters, outputs, bands }) {
      const startedAt = performance.now();
      const session = await sessions.find(handle);
      if (!session) return null;
      const found = await onDevice(demandSound(session), async (device) => {
        const { values, faults } = await evaluateAll(outputs, parameters, (some) => session.evaluator(some, device));
        const plots = await plotsOrFaults(() => session.plotter(device), parameters, bands);
        return { values, plots: plots.plots, faults: [...faults, ...plots.faults] };
      });
      const { plots, values, faults } = found;
      return { plots, values: Object.fromEntries(values), faults, milliseconds: performance.now() - startedAt };
    },

    async 'model.adjoints'({ document, location, parameters, of }) {
      const startedAt = performance.now();
      const session = await sessions.get(document, location);
      return onDevice(demandSound(session), async (device) => {
        const { value, wires } = await (await session.sweep(of, device)).at(parameters);
        const { rules, program } = await session.explanation(of, device);
        return {
          value,
          wires: wires.map(sent),
          rules: rules.map((rule) => ({ ...rule, passedOver: [...rule.passedOver] })),
          program,
          milliseconds: performance.now() - startedAt,
        };
      });
    },

    async 'model.export'({ document, location, to, fit, studies, version }) {
      const model = demandModel(await sessions.get(document, location));
      const text = await onDevice(model, (device) =>
        to === 'html'
          ? reportHtml({ model, fit, parameters: {}, studies, version, date: new Date() }, device)
          : exportModel(model, to, version, device),
      );
      return { text };
    },

    async 'model.table'({ document, location, table: name, from, rows }) {
      const { tables } = await sessions.get(document, location);
      const table = tables.get(name);
      if (!table) throw new Refused(`The table "${name}" could not be read.`);
      return {
        columns: [...table.columns.keys()],
        rows: tableText(table, from, Math.min(rows, mostRows)),
        total: table.rows,
      };
    },

    async 'model.inline'({ document, location, table: name }) {
      const model = demandSound(await sessions.get(document, location));
      const table = model.tables.get(name);
      if (!table) throw new Refused(`The table "${name}" could not be read.`);
      try {
        return { columns: inlineColumns(table, usesOf(model, name)) };
      } catch (error) {
        if (error instanceof TableError) throw new Refused(`Table "${name}": ${error.message}.`);
        throw error;
      }
    },

    'devices.list': () => devices.list(),
  };
}

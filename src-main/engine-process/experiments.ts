/** Contests that the window asks for: of the table and the roles as they stand, remembered until one of them changes. */
import { cpuDevice, type Device } from '../../engine/index.ts';
import { scaleOfY } from '../../models/experiment/axis-scales.ts';
import { findRoles } from '../../models/experiment/find-roles.ts';
import { readingsAlone } from '../../models/experiment/first-model.ts';
import { noiseFault } from '../../models/experiment/noise.ts';
import { curvesOf, pictureOf } from '../../models/experiment/picture.ts';
import { readingsOf, whyNoShape, type Readings } from '../../models/experiment/readings.ts';
import { noises, type Roles } from '../../models/experiment/roles.ts';
import { unitIn, unitsOf } from '../../models/experiment/written.ts';
import { openBeyond, reachOf } from '../../models/facts/supports.ts';
import { shapeNamed } from '../../models/library/index.ts';
import type { ShapeParameter } from '../../models/library/shape.ts';
import type { ImportedTable } from '../../models/tables/import/import.ts';
import { contest, type Contestant, type SoFar } from '../compute/contest.ts';
import type {
  ContestProgress,
  ImportContest,
  ImportContestant,
  ImportExperiment,
  Sharing,
} from '../contract/import.ts';
import type { PlainDocument } from '../files/imported-documents.ts';
import { Refused } from '../refused.ts';

export interface Experiments {
  contest(table: ImportedTable, experiment: ImportExperiment, ruled?: Ruled): Promise<ImportContest>;
  make(table: ImportedTable, experiment: ImportExperiment, name: string): Promise<PlainDocument>;
  readings(table: ImportedTable, experiment: ImportExperiment, name: string): PlainDocument;
}

export interface Ruled {
  /** Its first word stops the contest, with what was found by then. */
  readonly cancel?: Int32Array | undefined;
  readonly onProgress?: (progress: Omit<ContestProgress, 'asked'>) => void;
}

export function createExperiments(): Experiments {
  let device: Device | undefined;
  let last: (SoFar & { readonly key: string }) | undefined;
  /** Those that were shown of these roles, by shape: what is taken of them, or fitted otherwise, begins where they ended. */
  let shown: { readonly key: string; readonly byShape: Map<string, Shown> } = { key: '', byShape: new Map() };

  async function fought(
    readings: Readings,
    experiment: ImportExperiment,
    { cancel, onShare, onFound }: Fighting = {},
  ): Promise<SoFar> {
    const key = JSON.stringify(experiment);
    if (last?.key === key) return last;
    const { shape, sharing } = experiment;
    const known = shape === undefined ? undefined : shapeNamed(shape);
    if (shape !== undefined && !known) throw new Refused(`There is no shape ${shape}.`);
    device ??= cpuDevice();
    const before = shownOfShape(experiment);
    const said = sharing && new Map(Object.entries(sharing));
    const request = { name: 'Table', shape: known, sharing: said, cancel, from: before?.contestant.values };
    let latest: SoFar = { contestants: [], fitted: 0 };
    const contestants = await contest(readings, device, {
      ...request,
      ...(onShare && { onProgress: onShare }),
      onFound(soFar) {
        latest = soFar;
        onFound?.(soFar);
      },
    });
    // Of a long table that was stopped there are those that were fitted to some of it.
    const found = isStopped(cancel) && contestants.length === 0 ? latest : whole(readings, contestants);
    if (!isStopped(cancel)) last = { key, ...found };
    const roles = rolesOf(experiment);
    if (shown.key !== roles) shown = { key: roles, byShape: new Map() };
    for (const contestant of found.contestants)
      shown.byShape.set(contestant.candidate.shape.name, { contestant, fitted: found.fitted });
    return found;
  }

  function shownOfShape(experiment: ImportExperiment): Shown | undefined {
    const { shape, noise } = experiment;
    const found = shown.key === rolesOf(experiment) ? shown.byShape.get(shape ?? '') : undefined;
    return noise === undefined || found?.contestant.candidate.noise === noise ? found : undefined;
  }

  return {
    async contest(table, experiment, { cancel, onProgress } = {}) {
      const readings = readingsIn(table, experiment);
      const { grid, ...picture } = pictureOf(readings);
      const known = new Map<Contestant, ImportContestant>();
      const drawn = (contestant: Contestant): ImportContestant => {
        const found = known.get(contestant) ?? drawnOf(readings, contestant, { ...picture, grid });
        known.set(contestant, found);
        return found;
      };
      const told = ({ contestants, fitted }: SoFar, stopped: boolean, why = ''): ImportContest => {
        const noise = contestants[0]?.candidate.noise ?? 'constant';
        return {
          ...picture,
          y: { ...picture.y, scale: scaleOfY(noise) },
          contestants: contestants.map(drawn),
          noise,
          noises: noises.filter((each) => noiseFault(readings, each) === undefined),
          ...{ readings: readings.y.values.length, fitted, dropped: [...readings.dropped], why, stopped },
        };
      };
      let share = 0;
      const tell = (soFar: SoFar | null): void => onProgress?.({ share, contest: soFar && told(soFar, false) });
      tell({ contestants: [], fitted: 0 });
      const found = await fought(readings, experiment, {
        cancel,
        onShare(done) {
          share = done;
          tell(null);
        },
        onFound: tell,
      });
      return told(found, isStopped(cancel), found.contestants.length === 0 ? whyNoShape(readings) : '');
    },

    async make(table, experiment, name) {
      const readings = readingsIn(table, experiment);
      const before = shownOfShape(experiment);
      const { sharing = {} } = experiment;
      const isThat =
        before?.fitted === readings.y.values.length &&
        Object.keys(before.contestant.candidate.shape.parameters).every(
          (each) => sharingOf(before.contestant, each) === (sharing[each] ?? 'shared'),
        );
      const best = isThat ? before.contestant : (await fought(readings, experiment)).contestants[0];
      if (!best) throw new Refused('No shape could be fitted to these readings.');
      return { ...best.model.document, name };
    },

    readings: (table, experiment, name) => readingsAlone(name, readingsIn(table, experiment)),
  };
}

interface Shown {
  readonly contestant: Contestant;
  readonly fitted: number;
}

/** What two requests have in common that are about the same readings. */
const rolesOf = (experiment: ImportExperiment): string =>
  JSON.stringify({ ...experiment, shape: undefined, sharing: undefined, noise: undefined });

interface Fighting {
  readonly cancel?: Int32Array | undefined;
  readonly onShare?: (share: number) => void;
  readonly onFound?: (soFar: SoFar) => void;
}

const whole = (readings: Readings, contestants: readonly Contestant[]): SoFar => ({
  contestants,
  fitted: readings.y.values.length,
});

const isStopped = (cancel: Int32Array | undefined): boolean => cancel !== undefined && cancel[0] !== 0;

function readingsIn({ columns, rows }: ImportedTable, experiment: ImportExperiment): Readings {
  const named = columns.map((column, j) => ({ ...column, unit: experiment.units[j] ?? column.unit }));
  const { together, roles } = experiment;
  const found = findRoles(columns, rows).controls;
  const has = found && (roles[found.column] === 'group' || roles[found.column] === 'control');
  const { noise } = experiment;
  const wanted: Roles = { columns: roles, together, controls: experiment.controls && has ? found : undefined, noise };
  if (!roles.includes('y')) throw new Refused('No column is y.');
  const readings = readingsOf(named, rows, wanted);
  const fault = noise && noiseFault(readings, noise);
  if (fault !== undefined) throw new Refused(`Noise that is ${noise} ${fault}.`);
  return readings;
}

function drawnOf(readings: Readings, contestant: Contestant, picture: ReturnType<typeof pictureOf>): ImportContestant {
  const { candidate, report, model, values, aicc, objective } = contestant;
  const { shape } = candidate;
  const blocks = model.document['blocks'] as readonly { readonly id: string; readonly formula?: string }[];
  const units = unitsOf(readings);
  return {
    ...{ shape: shape.name, title: shape.title, use: shape.use, reference: shape.reference },
    formula: blocks.find(({ id }) => id === model.prediction)?.formula ?? shape.formula,
    ...{ aicc, objective, count: report.parameters.length },
    parameters: Object.entries(shape.parameters).map(([name, { meaning, unit }]) => ({
      ...{ name, meaning, unit: unitIn(unit, units), sharing: sharingOf(contestant, name) },
      values: report.parameters
        .filter(({ block }) => block === model.parameters.get(name))
        .map(({ value, lower, upper }) => ({ value, ...allowed(shape.parameters[name]!, lower, upper) })),
    })),
    curves: curvesOf(readings, candidate, values, picture),
  };
}

/** An interval that is symmetric by its making says nothing beyond what its parameter can be. */
function allowed(parameter: ShapeParameter, lower: number, upper: number) {
  const reach = reachOf({ support: parameter.positive && 'positive' }, parameter.lower, parameter.upper);
  const [from, to] = openBeyond(lower, upper, reach);
  return { lower: from, upper: to };
}

const sharingOf = ({ own, hierarchical }: Contestant, name: string): Sharing =>
  hierarchical.has(name) ? 'hierarchical' : own.has(name) ? 'group' : 'shared';

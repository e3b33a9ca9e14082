/** Runs jobs in a worker thread: what all have in common, and what a fit and a study are. */
import { heeding, isCancelled, orCancelled } from '../../engine/index.ts';
import { objectiveMeaning } from '../../models/lower/meaning.ts';
import type { Model } from '../../models/load/model.ts';
import { fitOf } from '../compute/fit/fitted.ts';
import { effectPlots } from '../compute/plots/effect-plots.ts';
import { withMisfits } from '../compute/misfit.ts';
import { fitOutlivingGpu, outlivingGpu, type Loss } from '../compute/outliving-gpu.ts';
import type { Devices } from '../compute/running/devices.ts';
import { demandModel } from '../compute/running/load.ts';
import { elementsOf } from '../compute/running/run.ts';
import { demandWhole, type Sessions } from '../compute/sessions.ts';
import { runStudy } from '../compute/study/study.ts';
import type { Problem, Progress, Result } from '../contract/contract.ts';
import type { Emit } from '../contract/endpoint.ts';
import type { DeviceChoice } from '../device-choice.ts';
import { Refused, Unsolved } from '../refused.ts';
import type { Job, WorkKind, WorkOf } from './job.ts';
import { isPaused, waitWhilePaused } from './job-control.ts';
import { paced } from './paced.ts';

export interface Bench {
  readonly sessions: Sessions;
  readonly devices: Devices;
  /** Where a job does not say. */
  readonly device: DeviceChoice;
  readonly emit: Emit;
}

interface Running<K extends WorkKind> {
  readonly bench: Bench;
  readonly job: Job<K>;
  readonly model: Model;
  readonly cancel: Int32Array;
  /** Called between two steps; it returns once the job may go on. */
  readonly reached: (progress: Progress) => void;
}

type Perform<K extends WorkKind> = (running: Running<K>) => Promise<Extract<Result, { readonly kind: K }>>;

const performers: { readonly [K in WorkKind]: Perform<K> } = {
  async fit({ bench, job, model, cancel, reached }) {
    const { kind, ...work } = job.work;
    const meaning = objectiveMeaning(model) ?? '';
    const request = {
      ...work,
      parameters: job.parameters,
      cancel,
      onProgress: (progress: Omit<Extract<Progress, { kind: 'fit' }>, 'kind' | 'meaning'>) =>
        reached({ kind, meaning, ...progress }),
    };
    const report = await fitOutlivingGpu(model, bench.devices, optionsOf(bench, job), request, (loss) =>
      tellLoss(bench, 'The fit goes on', loss),
    );
    const told = await orCancelled(() =>
      outlivingGpu(bench.devices, optionsOf(bench, job), elementsOf(model), (device) =>
        withMisfits(model, heeding(device, cancel), report),
      ),
    );
    return { kind, report: told ?? report };
  },

  async study({ bench, job, model, cancel, reached }) {
    const { kind, study } = job.work;
    const context = {
      parameters: job.parameters,
      load: (document: Job['document']) => modelOf(bench, { ...job, document }),
      cancel,
      onProgress: (stage: string, share: number) => reached({ kind, stage, share }),
    };
    const report = await outlivingGpu(
      bench.devices,
      optionsOf(bench, job),
      elementsOf(model),
      (device) => runStudy(model, device, study, context),
      (loss) => tellLoss(bench, 'The study begins again', loss),
    );
    return { kind, report };
  },

  async diagnosis({ bench, job, model, cancel, reached }) {
    const { kind, fit } = job.work;
    const own = fitOf(model, fit);
    if (!own) throw new Refused('The fit is of another model.');
    const onProgress = (share: number): void => reached({ kind, stage: 'drawing data sets', share });
    const report = await outlivingGpu(
      bench.devices,
      optionsOf(bench, job),
      elementsOf(model),
      (device) => effectPlots(model, device, own, { thinned: true, cancel, onProgress }),
      (loss) => tellLoss(bench, 'The diagnosis begins again', loss),
    );
    return { kind, report };
  },
};

/** What a job is of; throws `Refused` where that is at fault, or anything is of a document that is to be right all over. */
async function modelOf({ sessions }: Bench, { document, location, entire }: Job): Promise<Model> {
  const session = await sessions.get(document, location);
  if (entire) demandModel(session);
  return demandWhole(session);
}

const optionsOf = ({ device }: Bench, job: Job) => ({ ...job, device: job.device ?? device });

function tellLoss({ emit }: Bench, what: string, { why, device: { kind } }: Loss): void {
  const where = kind === 'webgpu' ? 'on the GPU, which was opened again' : 'on the CPU';
  emit('engine.notice', { message: `The GPU was lost (${why}). ${what} ${where}.` });
}

/** What was refused; anything else is a fault of ours: this thread ends by it, and whoever started it says so. */
function problemsOf(error: unknown, stopped: boolean): Problem[] {
  if (!(error instanceof Refused)) throw error;
  // Who stops a job has been told nothing that is wrong.
  const severity = stopped ? 'warning' : 'error';
  return error.problems.length > 0 ? [...error.problems] : [{ severity, message: error.message }];
}

/** Progress, then one end: `job.done` or `job.refused`. */
export async function runJob<K extends WorkKind>(
  bench: Bench,
  name: string,
  job: Job<K>,
  control: Int32Array,
): Promise<void> {
  const { emit } = bench;
  const told = paced((progress: Progress) => emit('job.progress', { job: name, progress }));
  const reached = (progress: Progress): void => {
    told(progress);
    if (!isPaused(control)) return;
    emit('job.progress', { job: name, progress, paused: true });
    waitWhilePaused(control);
  };
  try {
    const model = await modelOf(bench, job);
    const work: WorkOf<K> = job.work;
    const perform = performers[work.kind];
    emit('job.done', { job: name, result: await perform({ bench, job, model, cancel: control, reached }) });
  } catch (error) {
    const unsolved = error instanceof Unsolved ? { unsolved: [...error.errors] } : {};
    emit('job.refused', { job: name, problems: problemsOf(error, isCancelled(control)), ...unsolved });
  }
}

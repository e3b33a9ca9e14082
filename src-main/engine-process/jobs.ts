/**
 * Jobs that wait or run in their worker, one after the other, each by what the window calls it. A job that is stopped tells what it has
 * found by itself, as kernels and optimisers look at its word. One that has nothing to show yet may be reading a large table,
 * compiling or forming what is drawn of many data sets, where nobody looks: it is given up, and its thread with it.
 */
import * as v from 'valibot';
import type { Message, Problem } from '../contract/contract.ts';
import type { Emit } from '../contract/endpoint.ts';
import type { Job, Work } from './job.ts';
import { createControl, stop } from './job-control.ts';
import type { FromWorker } from './worker-protocol.ts';
import { createSlot, type StartWorker } from './worker-slot.ts';

export interface Jobs {
  /** Gives the job's name before its first event can come. */
  start(job: Job): string;
  /** What is not known any more has ended: nothing is done. */
  rule(job: string, act: (control: Int32Array) => void): void;
  stop(job: string): void;
  end(): Promise<void>;
}

const named = v.object({ job: v.string() });

/** How long one that has told nothing is waited for: its end is to be there within 100 ms. */
const patience = 60;
const stopped: Problem = { severity: 'warning', message: 'It was stopped before anything was found.' };

interface Begun {
  readonly job: Job;
  readonly control: Int32Array;
  /** Whether there is anything that would be lost with its thread. */
  told: boolean;
}

/** Whether one that is stopped shows what it has done; of the others nothing is known before their end. */
const showsWhatItHas = (work: Work): boolean =>
  work.kind === 'fit' || (work.kind === 'study' && work.study.kind !== 'comparison');

/** The job that a message is about, and whether it ends it. */
function jobOf(message: FromWorker): { readonly job: string; readonly ends: boolean } | undefined {
  if (message.type !== 'event') return undefined;
  const ends = message.name === 'job.done' || message.name === 'job.refused';
  return ends || message.name === 'job.progress' ? { job: v.parse(named, message.body).job, ends } : undefined;
}

export function createJobs(start: StartWorker, send: (message: Message) => void, emit: Emit): Jobs {
  /** In the order in which they run. */
  const running = new Map<string, Begun>();
  let next = 1;

  const slot = createSlot(start, {
    message(message) {
      const about = jobOf(message);
      if (about) {
        const begun = running.get(about.job);
        // It was given up.
        if (!begun) return;
        begun.told = showsWhatItHas(begun.job.work);
        if (about.ends) running.delete(about.job);
      }
      send(message);
    },
    died(reason) {
      for (const [job, { job: asked }] of running) {
        const message = `The ${asked.work.kind} ended unexpectedly: ${reason}`;
        const problems: Problem[] = [{ severity: 'error', message }];
        emit('job.refused', { job, problems });
      }
      running.clear();
    },
  });

  const begin = (name: string, { job, control }: Begun): void => slot.send({ type: 'job', name, job, control });

  function giveUp(name: string): void {
    const found = running.get(name);
    if (!found || found.told) return;
    const [first] = running.keys();
    running.delete(name);
    emit('job.refused', { job: name, problems: [stopped] });
    if (first !== name) return;
    void slot.end();
    for (const [waiting, begun] of running) begin(waiting, begun);
  }

  return {
    start(job) {
      const name = `job-${next++}`;
      const control = createControl();
      const begun = { job, control, told: false };
      running.set(name, begun);
      begin(name, begun);
      return name;
    },
    rule(job, act) {
      const found = running.get(job);
      if (found) act(found.control);
    },
    stop(job) {
      const found = running.get(job);
      if (!found || !stop(found.control) || found.told) return;
      setTimeout(() => giveUp(job), patience);
    },
    end: () => slot.end(),
  };
}

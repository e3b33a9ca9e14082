/** Jobs that wait or run in their worker, one after the other, each by what the window calls it. */
import * as v from 'valibot';
import type { Message, Problem } from '../contract/contract.ts';
import type { Emit } from '../contract/endpoint.ts';
import type { Job, WorkKind } from './job.ts';
import { createControl } from './job-control.ts';
import type { FromWorker } from './worker-protocol.ts';
import { createSlot, type StartWorker } from './worker-slot.ts';

export interface Jobs {
  /** Gives the job's name before its first event can come. */
  start(job: Job): string;
  /** What is not known any more has ended: nothing is done. */
  rule(job: string, act: (control: Int32Array) => void): void;
  end(): Promise<void>;
}

const named = v.object({ job: v.string() });

/** The job that a message ends. */
function ended(message: FromWorker): string | undefined {
  if (message.type !== 'event' || !(message.name === 'job.done' || message.name === 'job.refused')) return undefined;
  return v.parse(named, message.body).job;
}

export function createJobs(start: StartWorker, send: (message: Message) => void, emit: Emit): Jobs {
  const running = new Map<string, { readonly kind: WorkKind; readonly control: Int32Array }>();
  let next = 1;

  const slot = createSlot(start, {
    message(message) {
      const job = ended(message);
      if (job !== undefined) running.delete(job);
      send(message);
    },
    died(reason) {
      for (const [job, { kind }] of running) {
        const problems: Problem[] = [{ severity: 'error', message: `The ${kind} ended unexpectedly: ${reason}` }];
        emit('job.refused', { job, problems });
      }
      running.clear();
    },
  });

  return {
    start(job) {
      const name = `job-${next++}`;
      const control = createControl();
      running.set(name, { kind: job.work.kind, control });
      slot.send({ type: 'job', name, job, control });
      return name;
    },
    rule(job, act) {
      const found = running.get(job);
      if (found) act(found.control);
    },
    end: () => slot.end(),
  };
}

/** Fits and studies that wait or run in their worker, one after the other, each by what the window calls it. */
import type { Message, Problem } from '../contract/contract.ts';
import type { Emit } from '../contract/endpoint.ts';
import type { FitJob } from './fit-job.ts';
import { createControl } from './job-control.ts';
import type { StudyJob } from './study-job.ts';
import type { FromWorker } from './worker-protocol.ts';
import { createSlot, type StartWorker } from './worker-slot.ts';

type Kind = 'fit' | 'study';

export interface Jobs {
  /** Both give the job's name before its first event can come. */
  fit(job: FitJob): string;
  study(job: StudyJob): string;
  /** What is not known any more has ended: nothing is done. */
  rule(job: string, act: (control: Int32Array) => void): void;
  end(): Promise<void>;
}

/** The job that a message ends. */
function ended(message: FromWorker): string | undefined {
  if (message.type !== 'event' || !/^(?:fit|study)\.(?:done|refused)$/.test(message.name)) return undefined;
  const { fit, study } = message.body as { fit?: string; study?: string };
  return fit ?? study;
}

export function createJobs(start: StartWorker, send: (message: Message) => void, emit: Emit): Jobs {
  const running = new Map<string, { readonly kind: Kind; readonly cancel: Int32Array }>();
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
        if (kind === 'fit') emit('fit.refused', { fit: job, problems });
        else emit('study.refused', { study: job, problems });
      }
      running.clear();
    },
  });

  function begin(kind: Kind): { readonly name: string; readonly cancel: Int32Array } {
    const name = `${kind}-${next++}`;
    const cancel = createControl();
    running.set(name, { kind, cancel });
    return { name, cancel };
  }

  return {
    fit(job) {
      const { name, cancel } = begin('fit');
      slot.send({ type: 'fit', fit: name, job, cancel });
      return name;
    },
    study(job) {
      const { name, cancel } = begin('study');
      slot.send({ type: 'study', study: name, job, cancel });
      return name;
    },
    rule(job, act) {
      const found = running.get(job);
      if (found) act(found.cancel);
    },
    end: () => slot.end(),
  };
}

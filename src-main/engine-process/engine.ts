/**
 * The engine process's own thread. It computes nothing, so that *Stop* is always heard: one worker thread answers what
 * the window asks, another runs fits and studies, a third reads tables that are imported; a worker that dies is replaced, and what it owed is refused.
 */
import type { Location, Message, Problem } from '../contract/contract.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { Refused } from '../refused.ts';
import { emitter, malformed, parseRequest, refusal } from '../router.ts';
import type { RequestMessage } from '../router.ts';
import type { FitJob } from './fit-job.ts';
import { createControl, pause, resume, stop } from './job-control.ts';
import type { StudyJob } from './study-job.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';
import type { WorkerEvents, WorkerThread } from './worker-thread.ts';

export interface EngineOptions {
  readonly endpoint: Endpoint;
  readonly startWorker: (events: WorkerEvents) => WorkerThread;
  /** Whether the window may have this location read. */
  readonly mayRead: (location: Location) => boolean;
}

/** A worker that is started when first used, and again after it has died. */
interface Slot {
  send(message: ToWorker): void;
  end(): Promise<void>;
}

function createSlot(start: EngineOptions['startWorker'], events: WorkerEvents): Slot {
  let thread: WorkerThread | undefined;
  return {
    send(message) {
      thread ??= start({
        message: events.message,
        died: (reason) => {
          thread = undefined;
          events.died(reason);
        },
      });
      thread.send(message);
    },
    async end() {
      const ending = thread;
      // What is sent from now on goes to a new one.
      thread = undefined;
      await ending?.end();
    },
  };
}

export interface Engine {
  end(): Promise<void>;
}

export function runEngine({ endpoint, startWorker, mayRead }: EngineOptions): Engine {
  const emit = emitter(endpoint);
  const asked = new Set<number>();
  /** Fits and studies that wait or run, by what the window calls them. */
  const running = new Map<string, { readonly kind: 'fit' | 'study'; readonly cancel: Int32Array }>();
  let nextJob = 1;

  const answering = createSlot(startWorker, {
    message(message: FromWorker) {
      if (message.type === 'reply' || message.type === 'refusal') asked.delete(message.id);
      endpoint.send(message);
    },
    died(reason) {
      for (const id of asked) endpoint.send(refusal(id, new Error(`the computation ended unexpectedly: ${reason}`)));
      asked.clear();
    },
  });

  /** Requests on the import that is under way. */
  const owed = new Set<number>();

  const importing = createSlot(startWorker, {
    message(message: FromWorker) {
      if (message.type === 'reply' || message.type === 'refusal') owed.delete(message.id);
      endpoint.send(message);
    },
    died(reason) {
      for (const id of owed) endpoint.send(refusal(id, new Error(`the table cannot be read: ${reason}`)));
      owed.clear();
    },
  });

  const working = createSlot(startWorker, {
    message(message: FromWorker) {
      if (message.type === 'event' && /^(?:fit|study)\.(?:done|refused)$/.test(message.name)) {
        const { fit, study } = message.body as { fit?: string; study?: string };
        running.delete(fit ?? study ?? '');
      }
      endpoint.send(message);
    },
    died(reason) {
      for (const [job, { kind }] of running) {
        const message = `The ${kind} ended unexpectedly: ${reason}`;
        const problems: Problem[] = [{ severity: 'error', message }];
        if (kind === 'fit') emit('fit.refused', { fit: job, problems });
        else emit('study.refused', { study: job, problems });
      }
      running.clear();
    },
  });

  function begin(kind: 'fit' | 'study'): { readonly job: string; readonly cancel: Int32Array } {
    const job = `${kind}-${nextJob++}`;
    const cancel = createControl();
    running.set(job, { kind, cancel });
    return { job, cancel };
  }

  function rule(job: string | undefined, act: (control: Int32Array) => void): void {
    const found = running.get(job ?? '');
    if (found) act(found.cancel);
  }

  function handle(request: RequestMessage): void {
    const body = request.body as { location?: Location; fit?: string; study?: string };
    if (body.location && !mayRead(body.location)) throw new Refused('This document lies outside what was opened.');
    const reply = (output: object): void => endpoint.send({ type: 'reply', id: request.id, body: output });
    switch (request.name) {
      case 'fit.start': {
        const { job, cancel } = begin('fit');
        reply({ fit: job });
        // parseRequest has checked it: what the window sends is a job without the command line's further options.
        working.send({ type: 'fit', fit: job, job: request.body as FitJob, cancel });
        return;
      }
      case 'study.start': {
        const { job, cancel } = begin('study');
        reply({ study: job });
        working.send({ type: 'study', study: job, job: request.body as StudyJob, cancel });
        return;
      }
      case 'fit.stop':
      case 'study.stop':
        rule(body.fit ?? body.study, stop);
        reply({});
        return;
      case 'fit.pause':
        rule(body.fit, pause);
        reply({});
        return;
      case 'fit.resume':
        rule(body.fit, resume);
        reply({});
        return;
      case 'import.begin':
      case 'import.bytes':
      case 'import.preview':
      case 'import.contest':
      case 'import.make':
      case 'import.library':
      case 'import.take':
        owed.add(request.id);
        importing.send({ type: 'request', message: request as Message & { type: 'request' } });
        return;
      case 'import.end':
        // The thread ends in the middle of what it reads, and its memory with it.
        void importing.end();
        for (const id of owed) endpoint.send(refusal(id, new Refused('The import was stopped.')));
        owed.clear();
        reply({});
        return;
      case 'model.check':
      case 'model.read':
      case 'model.evaluate':
      case 'model.plots':
      case 'model.adjoints':
      case 'model.export':
      case 'model.table':
      case 'devices.list':
        asked.add(request.id);
        answering.send({ type: 'request', message: request as Message & { type: 'request' } });
        return;
      default:
        throw new Refused(`${request.name} is not served here.`);
    }
  }

  endpoint.listen((message) => {
    const request = parseRequest(message);
    if (!request) {
      endpoint.send(malformed(message));
      return;
    }
    try {
      handle(request);
    } catch (error) {
      endpoint.send(refusal(request.id, error));
    }
  });

  return {
    async end() {
      await Promise.all([answering.end(), importing.end(), working.end()]);
    },
  };
}

/** The worker threads as the engine process's own thread sees them: started when first used, and again after they have died. */
import type { Message } from '../contract/contract.ts';
import { refusal, type RequestMessage } from '../router.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';
import type { WorkerEvents, WorkerThread } from './worker-thread.ts';

export type StartWorker = (events: WorkerEvents) => WorkerThread;

/** The first thread starts before anybody asks for one: its bundle is read while the page is. */
export function startAhead(start: StartWorker): StartWorker {
  let events: WorkerEvents | undefined;
  let first: WorkerThread | undefined = start({
    message: (message) => events?.message(message),
    died(reason) {
      first = undefined;
      events?.died(reason);
    },
  });
  return (own) => {
    if (!first || events) return start(own);
    events = own;
    return first;
  };
}

interface Slot {
  send(message: ToWorker): void;
  end(): Promise<void>;
}

export function createSlot(start: StartWorker, events: WorkerEvents): Slot {
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

export interface Relay {
  /** Has a request answered by the worker: with its reply, or with a refusal where it dies. */
  ask(request: RequestMessage, control?: Int32Array): void;
  /** Refuses with `error` what is owed, in the middle of which the thread ends, and its memory with it. */
  stop(error: Error): void;
  end(): Promise<void>;
}

/** `fault` says in what words a death is told. */
export function createRelay(start: StartWorker, send: (message: Message) => void, fault: string): Relay {
  const owed = new Set<number>();

  function refuseAll(error: Error): void {
    for (const id of owed) send(refusal(id, error));
    owed.clear();
  }

  const slot = createSlot(start, {
    message(message: FromWorker) {
      if (message.type === 'packed' || message.type === 'refusal') owed.delete(message.id);
      send(message);
    },
    died: (reason) => refuseAll(new Error(`${fault}: ${reason}`)),
  });

  return {
    ask(request, control) {
      owed.add(request.id);
      slot.send({ type: 'request', message: request, ...(control && { control }) });
    },
    stop(error) {
      void slot.end();
      refuseAll(error);
    },
    end: () => slot.end(),
  };
}

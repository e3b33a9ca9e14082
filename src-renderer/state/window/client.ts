/**
 * The window's view of everything behind it, over any endpoint. Replies and events are checked against their schemas as
 * they arrive.
 */
import * as v from 'valibot';
import { decode } from '../../../src-main/contract/codec.ts';
import { events, requests } from '../../../src-main/contract/contract.ts';
import type {
  Client,
  EventBody,
  EventName,
  Message,
  Problem,
  RequestInput,
  RequestName,
  RequestOutput,
} from '../../../src-main/contract/contract.ts';
import type { Endpoint } from '../../../src-main/contract/endpoint.ts';

/** A request was refused. The message is one sentence for the user; `problems` say where a document is at fault. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problems: readonly Problem[];

  constructor(message: string, problems: readonly Problem[] = []) {
    super(message);
    this.problems = problems;
  }
}

interface Pending {
  readonly name: RequestName;
  resolve(body: unknown): void;
  reject(error: Error): void;
}

export interface Connection {
  readonly client: Client;
  /** Connects an endpoint for the names that it serves, in place of the one before that served them. */
  attach(endpoint: Endpoint, serves: (name: RequestName) => boolean): void;
  /** Drops all endpoints: what is pending is refused, what comes waits for the next. */
  detach(): void;
}

interface Route {
  readonly endpoint: Endpoint;
  readonly serves: (name: RequestName) => boolean;
  readonly pending: Map<number, Pending>;
}

const ofJob = v.object({ job: v.string() });
const unreadable = 'It has ended, but what it found came malformed and cannot be shown: a fault of Cotangent';

/** What comes malformed is dropped; where it is a job's end, the job ends by it all the same. */
function emit(
  listeners: ReadonlyMap<EventName, ReadonlySet<(body: never) => void>>,
  name: EventName,
  body: unknown,
): void {
  const parsed = v.safeParse(events[name], body);
  if (!parsed.success) {
    console.error(`The event ${name} came malformed.`, v.flatten(parsed.issues));
    const ended = name === 'job.done' && v.safeParse(ofJob, body);
    if (ended && ended.success)
      emit(listeners, 'job.refused', { job: ended.output.job, problems: [{ severity: 'error', message: unreadable }] });
    return;
  }
  // The body has been parsed by the schema from which the listeners' types derive.
  for (const listener of listeners.get(name) ?? []) listener(parsed.output as never);
}

/** Undefined where the frame is none, which no reply is. */
function unpacked(frame: Uint8Array): unknown {
  try {
    return decode(frame);
  } catch {
    return undefined;
  }
}

function settle(request: Pending, message: Exclude<Message, { type: 'request' | 'event' }>): void {
  if (message.type === 'refusal') {
    request.reject(new Refusal(message.message, message.problems));
    return;
  }
  const body = message.type === 'packed' ? unpacked(message.frame) : message.body;
  const parsed = v.safeParse(requests[request.name].output, body);
  if (parsed.success) request.resolve(parsed.output);
  else request.reject(new Refusal(`The reply to ${request.name} came malformed.`));
}

/** A client without endpoints yet: requests wait until one is attached that serves them. */
export function createConnection(): Connection {
  let routes: readonly Route[] = [];
  let waiting: (() => void)[] = [];
  const listeners = new Map<EventName, Set<(body: never) => void>>();
  let next = 0;

  function receive(pending: Map<number, Pending>, message: Message): void {
    if (message.type === 'request') return;
    if (message.type === 'event') {
      if (Object.hasOwn(events, message.name)) emit(listeners, message.name, message.body);
      return;
    }
    const request = pending.get(message.id);
    pending.delete(message.id);
    if (request) settle(request, message);
  }

  function start(request: Pending, body: unknown): void {
    const route = routes.find((candidate) => candidate.serves(request.name));
    if (!route) {
      waiting.push(() => start(request, body));
      return;
    }
    const id = next++;
    route.pending.set(id, request);
    route.endpoint.send({ type: 'request', id, name: request.name, body });
  }

  function drop(dropped: readonly Route[], why: string): void {
    routes = routes.filter((route) => !dropped.includes(route));
    for (const route of dropped) for (const request of route.pending.values()) request.reject(new Refusal(why));
  }

  return {
    client: {
      request<N extends RequestName>(name: N, body: RequestInput<N>): Promise<RequestOutput<N>> {
        return new Promise<RequestOutput<N>>((resolve, reject) => {
          // `settle` resolves with what this request's own output schema has parsed.
          start({ name, resolve, reject }, body);
        });
      },
      on<N extends EventName>(name: N, listener: (body: EventBody<N>) => void): () => void {
        const set = listeners.get(name) ?? new Set();
        listeners.set(name, set);
        set.add(listener);
        return () => set.delete(listener);
      },
    },
    attach(endpoint, serves) {
      const names = (Object.keys(requests) as RequestName[]).filter(serves);
      const replaced = routes.filter((route) => names.some((name) => route.serves(name)));
      drop(replaced, 'The engine was started again; please repeat what you did last.');
      const pending = new Map<number, Pending>();
      routes = [...routes, { endpoint, serves, pending }];
      // What arrives comes from our own processes and has a message's form; bodies are parsed one by one.
      endpoint.listen((message) => receive(pending, message as Message));
      const held = waiting;
      waiting = [];
      for (const go of held) go();
      if (serves('files.keep')) emit(listeners, 'host.connected', { connected: true });
    },
    detach() {
      drop(routes, 'The connection was lost.');
      emit(listeners, 'host.connected', { connected: false });
    },
  };
}

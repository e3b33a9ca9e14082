/**
 * The engine process's own thread. It computes nothing, so that *Stop* is always heard: one worker thread answers what
 * the window asks, another runs jobs, a third reads tables that are imported; a worker that dies is replaced, and what it owed is refused.
 */
import {
  type EngineRequestName,
  isEngineRequest,
  type Location,
  modelRequests,
  type RequestInput,
} from '../contract/contract.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { importRequests } from '../contract/import.ts';
import { Refused } from '../refused.ts';
import { emitter, malformed, parseRequest, refusal, type RequestMessage } from '../router.ts';
import { createControl, pause, resume, stop } from './job-control.ts';
import { createJobs } from './jobs.ts';
import { createRelay, type Relay, type StartWorker } from './worker-slot.ts';

export interface EngineOptions {
  readonly endpoint: Endpoint;
  readonly startWorker: StartWorker;
  /** Whether the window may have this location read. */
  readonly mayRead: (location: Location) => boolean;
}

export interface Engine {
  end(): Promise<void>;
}

/** What becomes of a request: its reply, or undefined where a worker gives it. */
type Route<N extends EngineRequestName> = (body: RequestInput<N>, request: RequestMessage) => object | undefined;
type Routes<N extends EngineRequestName = EngineRequestName> = { readonly [K in N]: Route<K> };

/** All of these are a worker's to answer. */
function relayed<N extends EngineRequestName>(requests: { readonly [K in N]: unknown }, { ask }: Relay): Routes<N> {
  const route = (_: unknown, request: RequestMessage): undefined => void ask(request);
  return Object.fromEntries(Object.keys(requests).map((name) => [name, route])) as unknown as Routes<N>;
}

export function runEngine({ endpoint, startWorker, mayRead }: EngineOptions): Engine {
  const { send } = endpoint;
  const answering = createRelay(startWorker, send, 'the computation ended unexpectedly');
  const importing = createRelay(startWorker, send, 'the table cannot be read');
  const jobs = createJobs(startWorker, send, emitter(endpoint));

  const ruled = (job: string, act: (control: Int32Array) => void): object => {
    jobs.rule(job, act);
    return {};
  };

  /** Of the newest contest: the others have been stopped, for it is asked of other roles. */
  let contest = createControl();

  const routes: Routes = {
    ...relayed(modelRequests, answering),
    ...relayed(importRequests, importing),
    'import.contest'(_, request) {
      stop(contest);
      importing.ask(request, (contest = createControl()));
      return undefined;
    },
    'import.stop'() {
      stop(contest);
      return {};
    },
    'import.end'() {
      importing.stop(new Refused('The import was stopped.'));
      return {};
    },
    // What the window sends is a job without the command line's further options.
    'job.start': (job) => ({ job: jobs.start(job) }),
    'job.stop'({ job }) {
      jobs.stop(job);
      return {};
    },
    'job.pause': ({ job }) => ruled(job, pause),
    'job.resume': ({ job }) => ruled(job, resume),
  };

  function handle(request: RequestMessage): void {
    const { id, name } = request;
    // parseRequest has checked the body against this name's schema.
    const body = request.body as RequestInput<EngineRequestName>;
    if ('location' in body && !mayRead(body.location)) throw new Refused('This document lies outside what was opened.');
    if (!isEngineRequest(name)) throw new Refused(`${name} is not served here.`);
    const output = (routes[name] as Route<EngineRequestName>)(body, request);
    if (output) send({ type: 'reply', id, body: output });
  }

  endpoint.listen((message) => {
    const request = parseRequest(message);
    if (!request) {
      send(malformed(message));
      return;
    }
    try {
      handle(request);
    } catch (error) {
      send(refusal(request.id, error));
    }
  });

  return {
    async end() {
      await Promise.all([answering.end(), importing.end(), jobs.end()]);
    },
  };
}

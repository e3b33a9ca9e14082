/** The engine's side of the window's connection, played by a test: what was asked, and events and answers as it sees fit. */
import type {
  Client,
  EventBody,
  EventName,
  RequestInput,
  RequestName,
  RequestOutput,
} from '../../src-main/contract/contract.ts';

export interface Asked<N extends RequestName = RequestName> {
  readonly name: N;
  readonly body: RequestInput<N>;
}

export type Answers = {
  readonly [N in RequestName]?: (body: RequestInput<N>) => RequestOutput<N> | Promise<RequestOutput<N>>;
};

export interface PlayedEngine {
  readonly client: Client;
  readonly asked: readonly Asked[];
  /** The requests of one name. */
  of<N extends RequestName>(name: N): readonly RequestInput<N>[];
  emit<N extends EventName>(name: N, body: EventBody<N>): void;
  /** How many listen to an event. */
  listeners(name: EventName): number;
}

/** A request without an answer here is never answered. */
export function playedEngine(answers: Answers = {}): PlayedEngine {
  const asked: Asked[] = [];
  const listeners = new Map<string, Set<(body: never) => void>>();
  return {
    asked,
    client: {
      request<N extends RequestName>(name: N, body: RequestInput<N>): Promise<RequestOutput<N>> {
        asked.push({ name, body });
        const answer: ((body: RequestInput<N>) => RequestOutput<N> | Promise<RequestOutput<N>>) | undefined =
          answers[name];
        if (!answer) return new Promise(() => undefined);
        return new Promise((resolve) => resolve(answer(body)));
      },
      on<N extends EventName>(name: N, listener: (body: EventBody<N>) => void) {
        const known = listeners.get(name) ?? new Set();
        listeners.set(name, known.add(listener));
        return () => void known.delete(listener);
      },
    },
    of: (name) => asked.filter((request) => request.name === name).map(({ body }) => body),
    emit: (name, body) => listeners.get(name)?.forEach((listener) => listener(body as never)),
    listeners: (name) => listeners.get(name)?.size ?? 0,
  };
}

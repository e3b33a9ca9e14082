/**
 * Serves requests of the contract over an endpoint. What arrives is checked against its schema before a handler sees it,
 * and what a handler returns before it leaves.
 */
import * as v from 'valibot';
import { requests } from './contract/contract.ts';
import type { Message, RequestName, RequestOutput, Requests } from './contract/contract.ts';
import type { Emit, Endpoint } from './contract/endpoint.ts';
import { Refused } from './refused.ts';

export type Handler<N extends RequestName> = (
  body: v.InferOutput<Requests[N]['input']>,
) => RequestOutput<N> | Promise<RequestOutput<N>>;

export type Handlers<N extends RequestName = RequestName> = { readonly [K in N]: Handler<K> };

export const requestMessage = v.object({
  type: v.literal('request'),
  id: v.number(),
  name: v.picklist(Object.keys(requests) as RequestName[]),
  body: v.unknown(),
});

export type RequestMessage = v.InferOutput<typeof requestMessage>;

/** Null for anything that is not a request of the contract with a body that fits its schema. */
export function parseRequest(message: unknown): RequestMessage | null {
  const parsed = v.safeParse(requestMessage, message);
  return parsed.success && v.is(requests[parsed.output.name].input, parsed.output.body) ? parsed.output : null;
}

/** The refusal of something malformed; without an id there is nobody to answer, and -1 stands for it. */
export function malformed(message: unknown): Message {
  const parsed = v.safeParse(v.object({ id: v.number(), name: v.optional(v.string()) }), message);
  const name = parsed.success && parsed.output.name !== undefined ? `The request ${parsed.output.name}` : 'A request';
  return { type: 'refusal', id: parsed.success ? parsed.output.id : -1, message: `${name} is malformed.` };
}

export function refusal(id: number, error: unknown): Message {
  if (error instanceof Refused) return { type: 'refusal', id, message: error.message, problems: error.problems };
  const message = error instanceof Error ? error.message : String(error);
  return { type: 'refusal', id, message: `An internal fault: ${message}` };
}

async function answer<N extends RequestName>(handlers: Partial<Handlers>, name: N, body: unknown): Promise<unknown> {
  const handler: Handler<N> | undefined = handlers[name];
  if (!handler) throw new Refused(`${name} is not served here.`);
  // parseRequest has checked the body against this name's schema.
  const output: unknown = await handler(body as v.InferOutput<Requests[N]['input']>);
  const parsed = v.safeParse(requests[name].output, output);
  if (parsed.success) return output;
  const [issue] = parsed.issues;
  throw new Error(`the reply to ${name} is malformed at ${v.getDotPath(issue) ?? 'its root'}: ${issue.message}`);
}

/** Answers one message over the endpoint. */
export async function serve(
  endpoint: Pick<Endpoint, 'send'>,
  handlers: Partial<Handlers>,
  message: unknown,
): Promise<void> {
  const request = parseRequest(message);
  if (!request) {
    endpoint.send(malformed(message));
    return;
  }
  try {
    endpoint.send({ type: 'reply', id: request.id, body: await answer(handlers, request.name, request.body) });
  } catch (error) {
    endpoint.send(refusal(request.id, error));
  }
}

export function emitter(endpoint: Pick<Endpoint, 'send'>): Emit {
  return (name, body) => endpoint.send({ type: 'event', name, body });
}

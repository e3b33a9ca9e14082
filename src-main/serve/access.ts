/**
 * Who may talk to the browser host. The server listens on loopback alone, but any page in the user's browser can reach
 * that: a foreign Host means DNS rebinding, a foreign Origin another site's page, and the token proves that the request
 * comes from the one who started the server.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Access {
  readonly token: string;
  readonly port: number;
}

export interface Verdict {
  /** 200, 401 without token or cookie, 403 with a foreign Host or Origin. */
  readonly status: 200 | 401 | 403;
  /** What the response must set: present when the token came in the address. */
  readonly cookie?: string;
}

/** Cookies are shared by all ports of a host, so the name has the port. */
const cookieName = (port: number): string => `cotangent-${port}`;

function isToken(candidate: string | null | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return candidate != null && timingSafeEqual(digest(candidate), digest(token));
}

function cookieOf(request: IncomingMessage, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=');
    if (key === name) return value;
  }
  return undefined;
}

export function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

export function judge(request: IncomingMessage, { token, port }: Access): Verdict {
  const { host, origin } = request.headers;
  if (!isOwnHost(host, port)) return { status: 403 };
  if (origin !== undefined && origin !== `http://${host}`) return { status: 403 };
  const query = request.url?.split('?', 2)[1];
  if (isToken(new URLSearchParams(query).get('token'), token))
    return { status: 200, cookie: `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/` };
  return { status: isToken(cookieOf(request, cookieName(port)), token) ? 200 : 401 };
}

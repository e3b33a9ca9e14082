/**
 * Who may talk to the browser host. The server listens on loopback alone, but any page in the user's browser can reach
 * that, and on a shared machine so can every user. A foreign Host means DNS rebinding, a foreign Origin another site's
 * page. Beyond that it takes a secret, of which there are three:
 *
 *     token     in the printed address: opens a page, which takes it out of the address bar
 *     session   a cookie of the path /PLACE/, for the socket through which everything passes
 *     page      a cookie of every path, for the files of the window, which anybody may have
 *
 * A browser sends a host's cookies to all its ports, where other users' servers may listen. PLACE is random, and known to
 * the page alone, which keeps it in its own origin's storage: so the session goes nowhere else, and what does is worth
 * nothing.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Access {
  readonly port: number;
  readonly token: string;
  readonly session: string;
  readonly page: string;
  readonly place: string;
}

const secret = (): string => randomBytes(24).toString('base64url');

export function createAccess(port: number): Access {
  return { port, token: secret(), session: secret(), page: secret(), place: secret() };
}

export interface Verdict {
  /** 200, 401 without what it takes, 403 with a foreign Host or Origin. */
  readonly status: 200 | 401 | 403;
  /** What the response must set: present when the token came in the address. */
  readonly cookies?: readonly string[];
}

/** Cookies are shared by all ports of a host, so the names have the port. */
const sessionCookie = (port: number): string => `cotangent-${port}`;
const pageCookie = (port: number): string => `cotangent-page-${port}`;

function isSecret(candidate: string | null | undefined, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return candidate != null && timingSafeEqual(digest(candidate), digest(wanted));
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

/** The path of the socket, besides /socket itself. */
export const socketPath = ({ place }: Access): string => `/${place}/socket`;

/** `wants`: a file of the window, or the socket. */
export function judge(request: IncomingMessage, access: Access, wants: 'file' | 'socket'): Verdict {
  const { port, token, session, page, place } = access;
  const { host, origin } = request.headers;
  if (!isOwnHost(host, port)) return { status: 403 };
  if (origin !== undefined && origin !== `http://${host}`) return { status: 403 };
  const query = request.url?.split('?', 2)[1];
  if (isSecret(new URLSearchParams(query).get('token'), token))
    return {
      status: 200,
      cookies: [
        `${sessionCookie(port)}=${session}; HttpOnly; SameSite=Strict; Path=/${place}/`,
        `${pageCookie(port)}=${page}; HttpOnly; SameSite=Strict; Path=/`,
      ],
    };
  const known =
    isSecret(cookieOf(request, sessionCookie(port)), session) ||
    (wants === 'file' && isSecret(cookieOf(request, pageCookie(port)), page));
  return { status: known ? 200 : 401 };
}

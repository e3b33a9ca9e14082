/** The app's own scheme: serves the built renderer's files with the security headers, and nothing else. */
import { protocol } from 'electron';
import type { Session } from 'electron';
import { securityHeaders } from '../headers.ts';
import { readStaticFile } from '../static-files.ts';

const scheme = 'app';
const host = 'cotangent';
export const origin = `${scheme}://${host}`;

/** Before the app is ready: a standard, secure origin, so that modules, fetch and isolation work as on the web. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

export function serveScheme(session: Session, folder: string): void {
  const headers = securityHeaders("'self'");
  session.protocol.handle(scheme, async (request) => {
    const url = new URL(request.url);
    const file = url.host === host && request.method === 'GET' ? await readStaticFile(folder, url.pathname) : null;
    if (!file) return new Response('Not found', { status: 404, headers });
    return new Response(file.content, { headers: { ...headers, 'Content-Type': file.contentType } });
  });
}

/** What every page and file of the app is served with, on the desktop and to a browser. */

/**
 * Scripts come from the app alone; WebAssembly is compiled from bytes that the engine emits. Styles may stand inline,
 * since KaTeX and CodeMirror write them so; with everything else from 'self' they can fetch nothing.
 */
function contentSecurityPolicy(connect: string): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** `connect` names what the page may connect to. The page is cross-origin isolated, so that it may share memory. */
export function securityHeaders(connect: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(connect),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}

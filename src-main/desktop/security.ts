/** What no page of the app may do, whatever it shows. */
import { app } from 'electron';
import type { IpcMainEvent, Session, WebContents } from 'electron';
import { origin } from './protocol.ts';

export function isOwnUrl(url: string): boolean {
  return url === origin || url.startsWith(`${origin}/`);
}

/** Whether a message comes from the main frame of `contents`, showing our own page. */
export function isFrom(contents: WebContents, event: IpcMainEvent): boolean {
  const frame = event.senderFrame;
  return event.sender === contents && frame !== null && frame === contents.mainFrame && isOwnUrl(frame.url);
}

/** Denies every permission, and every request that leaves the app. */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, decide) => {
    const allowed = isOwnUrl(details.url) || /^(blob|data|devtools):/.test(details.url);
    decide({ cancel: !allowed });
  });
}

/** For every page, now and later: it stays where it is, opens no window and embeds no other. */
export function lockContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

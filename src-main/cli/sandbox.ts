/** Why Chromium's sandbox may be what keeps the window from starting, and what to do. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the kernel lets programs do without root; '' where it says nothing of it. */
export interface KernelRules {
  /** Ubuntu 23.10 and later: `1` where only programs with an AppArmor profile make user namespaces. */
  readonly apparmor: string;
  /** Debian's own: `0` where nobody does. */
  readonly clone: string;
  /** Every Linux's: how many there may be, `0` where none. */
  readonly most: string;
  /** Whether the helper that needs no namespaces is root's. */
  readonly helper: boolean;
}

function readRule(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

export function kernelRules(executable: string): KernelRules {
  const helper = statSync(join(dirname(executable), 'chrome-sandbox'), { throwIfNoEntry: false });
  return {
    apparmor: readRule('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    clone: readRule('/proc/sys/kernel/unprivileged_userns_clone'),
    most: readRule('/proc/sys/user/max_user_namespaces'),
    helper: helper !== undefined && helper.uid === 0 && (helper.mode & 0o4000) !== 0,
  };
}

/** One sentence and the command; undefined where the sandbox is not the reason. */
export function sandboxRemedy(executable: string, { apparmor, clone, most, helper }: KernelRules): string | undefined {
  if (helper || (apparmor !== '1' && clone !== '0' && most !== '0')) return undefined;
  const path = join(dirname(executable), 'chrome-sandbox');
  return (
    'This system lets programs make no user namespaces (as Ubuntu does since 23.10), on which the window’s sandbox rests. ' +
    `Install the .deb, which sees to it, or run once: sudo chown root:root '${path}' && sudo chmod 4755 '${path}'`
  );
}

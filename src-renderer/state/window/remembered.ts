/** The few choices about the window itself that outlive it. A browser that keeps nothing for us is no fault. */
type Key = 'theme' | 'tour' | 'place';

const name = (key: Key) => `cotangent.${key}`;

export function recall(key: Key): string | null {
  try {
    return localStorage.getItem(name(key));
  } catch {
    return null;
  }
}

export function remember(key: Key, value: string): void {
  try {
    localStorage.setItem(name(key), value);
  } catch {
    // Storage is full or denied: the choice lasts as long as the window.
  }
}

/** The copy that this window edits, as long as the window lasts: a page that is loaded again goes on with it. */
const copyName = 'cotangent.copy';

export function recallCopy(): string | null {
  try {
    return sessionStorage.getItem(copyName);
  } catch {
    return null;
  }
}

export function rememberCopy(copy: string): void {
  try {
    sessionStorage.setItem(copyName, copy);
  } catch {
    // Then the start panel offers it.
  }
}

/** Unless the window edits another by now. */
export function forgetCopy(copy: string): void {
  try {
    if (sessionStorage.getItem(copyName) === copy) sessionStorage.removeItem(copyName);
  } catch {
    // What was not remembered need not be forgotten.
  }
}

/** The few choices about the window itself that outlive it. A browser that keeps nothing for us is no fault. */
type Key = 'theme' | 'tour';

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

/** Where a card stands beside what it speaks of: below it, above it, or at its side, and always within the window. */
const gap = 10;
const margin = 8;

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What of an element is in sight: within the window and every panel that scrolls or cuts it. */
export function inSight(element: Element): Box {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    if (getComputedStyle(outer).overflow === 'visible') continue;
    const edge = outer.getBoundingClientRect();
    left = Math.max(left, edge.left);
    top = Math.max(top, edge.top);
    right = Math.min(right, edge.right);
    bottom = Math.min(bottom, edge.bottom);
  }
  return { left, top, right, bottom };
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, Math.max(low, high)));

export function beside(target: Box, card: HTMLElement): { left: number; top: number } {
  const { offsetWidth: width, offsetHeight: height } = card;
  const [right, bottom] = [innerWidth - margin - width, innerHeight - margin - height];
  if (target.bottom + gap <= bottom) return { left: clamp(target.left, margin, right), top: target.bottom + gap };
  if (target.top - gap - height >= margin)
    return { left: clamp(target.left, margin, right), top: target.top - gap - height };
  const left = target.right + gap <= right ? target.right + gap : target.left - gap - width;
  return { left: clamp(left, margin, right), top: clamp(target.top, margin, bottom) };
}

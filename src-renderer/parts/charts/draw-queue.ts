/**
 * Charts are drawn in animation frames, as many in each as fit its budget: a fit moves several at once, and all of them in
 * one frame would hold up a key or a click. Each is drawn with what it was last asked to show.
 */
const budget = 8;
const waiting = new Map<object, () => void>();
let frame: number | undefined;

function drawSome(): void {
  frame = undefined;
  const until = performance.now() + budget;
  for (const [chart, draw] of waiting) {
    waiting.delete(chart);
    draw();
    if (performance.now() >= until) break;
  }
  if (waiting.size > 0) frame = requestAnimationFrame(drawSome);
}

export function drawSoon(chart: object, draw: () => void): void {
  waiting.set(chart, draw);
  frame ??= requestAnimationFrame(drawSome);
}

export function drawNoMore(chart: object): void {
  waiting.delete(chart);
}

/** When nothing waits to be drawn any more. */
export async function allDrawn(): Promise<void> {
  do await new Promise(requestAnimationFrame);
  while (waiting.size > 0);
}

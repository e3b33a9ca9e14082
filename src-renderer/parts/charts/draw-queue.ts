/**
 * Charts are drawn as soon as whoever asked for it has ended, and what is asked for after that in the next animation frame; as
 * many at a time as fit the budget: a fit moves several at once, and all of them together would hold up a key or a click. Each
 * is drawn with what it was last asked to show.
 */
const budget = 8;
const waiting = new Map<object, () => void>();
/** Set while what is asked for has to wait for it. */
let frame: number | undefined;

function drawSome(): void {
  const until = performance.now() + budget;
  for (const [chart, draw] of waiting) {
    waiting.delete(chart);
    draw();
    if (performance.now() >= until) return;
  }
}

function inFrame(): void {
  frame = undefined;
  drawSome();
  if (waiting.size > 0) frame ??= requestAnimationFrame(inFrame);
}

export function drawSoon(chart: object, draw: () => void): void {
  waiting.set(chart, draw);
  if (frame !== undefined) return;
  frame = requestAnimationFrame(inFrame);
  queueMicrotask(drawSome);
}

export function drawNoMore(chart: object): void {
  waiting.delete(chart);
}

/** When nothing waits to be drawn any more. */
export async function allDrawn(): Promise<void> {
  do await new Promise(requestAnimationFrame);
  while (waiting.size > 0);
}

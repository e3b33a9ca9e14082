/** Where the window was: it comes back there, as far as a screen is there to show it. */
import * as v from 'valibot';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const whole = v.pipe(v.number(), v.integer());

/** `bounds` are those of a window that is neither maximized nor fills the screen. */
export const windowState = v.object({
  bounds: v.object({ x: whole, y: whole, width: whole, height: whole }),
  maximized: v.boolean(),
  fullScreen: v.boolean(),
});
export type WindowState = v.InferOutput<typeof windowState>;

export const leastSize = { width: 760, height: 520 } as const;
const usualSize = { width: 1440, height: 900 } as const;

/** So much of a window's title bar must be on a screen that it can be taken hold of. */
const grip = { width: 120, height: 40 } as const;

function overlap(a: Rectangle, b: Rectangle): { readonly width: number; readonly height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  };
}

/** The bounds to open with; without a place where the system is to choose it. `screens` are their work areas. */
export function boundsFor(
  kept: WindowState | null,
  screens: readonly Rectangle[],
): Partial<Rectangle> & { readonly width: number; readonly height: number } {
  if (!kept) return usualSize;
  const width = Math.max(leastSize.width, kept.bounds.width);
  const height = Math.max(leastSize.height, kept.bounds.height);
  const { x, y } = kept.bounds;
  const bar = { x, y, width, height: grip.height };
  const inReach = screens.some((screen) => {
    const seen = overlap(bar, screen);
    return seen.width >= grip.width && seen.height >= grip.height / 2;
  });
  if (inReach) return { x, y, width, height };
  const largest = screens.reduce((most, screen) => (screen.width > most.width ? screen : most), {
    ...{ x: 0, y: 0 },
    ...usualSize,
  });
  return { width: Math.min(width, largest.width), height: Math.min(height, largest.height) };
}

/** What has been kept as text; null where it is none. */
export function readWindowState(text: string): WindowState | null {
  try {
    const parsed = v.safeParse(windowState, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

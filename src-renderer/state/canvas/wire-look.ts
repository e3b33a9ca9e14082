/**
 * How a wire is drawn. Of values: colour is the element type, width and doubling the rank, a refused wire is dashed. Of
 * derivatives: colour and width are the magnitude, dotted where nothing comes back.
 */
import { wireText } from '../adjoints/adjoint-view.ts';
import type { Adjoints } from '../adjoints/adjoints.svelte.ts';
import type { WireView } from './canvas.svelte.ts';
import { colorAt, widthAt } from '../adjoints/magnitude.ts';

export interface Stroke {
  readonly width: number;
  readonly dash?: string;
  /** Drawn in the colour of the canvas, so that what lies below looks like two lines. */
  readonly gap?: boolean;
}

export interface WireLook {
  readonly color: string;
  /** From below. */
  readonly strokes: readonly Stroke[];
  /** What is said of it beside its ends. */
  readonly words: string;
  /** What is higher lies on top. */
  readonly height: number;
}

const byRank: readonly (readonly Stroke[])[] = [
  [{ width: 1.25 }],
  [{ width: 2 }],
  [{ width: 5 }, { width: 2, gap: true }],
  [{ width: 8 }, { width: 5, gap: true }, { width: 1.5 }],
];

export function valueLook({ port }: WireView): WireLook {
  if (port.problem) return { color: 'var(--fault)', strokes: [{ width: 1.75, dash: '5 4' }], words: '', height: 0 };
  const strokes = byRank[Math.min(port.rank ?? 0, 3)]!;
  return { color: `var(--${port.element})`, strokes, words: '', height: 0 };
}

export function adjointLook(wire: WireView, adjoints: Adjoints): WireLook {
  const adjoint = adjoints.wires.get(wire.key);
  const place = adjoint && adjoints.magnitude(adjoint) > 0 ? adjoints.place(adjoint) : undefined;
  const { report, measure, name } = adjoints;
  const words = report ? wireText(adjoint, measure, name, report.value) : '';
  if (place !== undefined) return { color: colorAt(place), strokes: [{ width: widthAt(place) }], words, height: place };
  const stroke = { width: 1, ...(!adjoint && { dash: '1 3' }) };
  return { color: 'var(--line-3)', strokes: [stroke], words, height: -1 };
}

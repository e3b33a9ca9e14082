/** Plots as a document has them look: which colour, symbol and dash a group has, how large they are, in what letters. */
import { plotColors, plotDashes, plotSymbols, type PlotSymbol } from '../../models/notation/plot-marks.ts';
import type { Plot } from './plots.ts';

/** 96 pixels are an inch, as in CSS. */
const pixelsOf = { millimetre: 96 / 25.4, point: 96 / 72 } as const;

export interface GroupStyle {
  /** A token's name, or `#rrggbb`. Undefined: as plots are without a look. */
  readonly color: string | undefined;
  readonly symbol: PlotSymbol;
  readonly dash: readonly number[];
}

const cycle = Object.values(plotColors).slice(0, 4);

/** By its place among the groups: colours and symbols take turns in other numbers, so that no two of the first twenty are alike. */
export function lookOfGroup(index: number) {
  return {
    color: cycle[index % cycle.length]!,
    symbol: plotSymbols[index % plotSymbols.length]!,
    dash: plotDashes[Math.floor(index / cycle.length) % plotDashes.length]!,
  };
}

/** Groups in one plot are told apart by colour, symbol and dash; a small plot each needs nothing of it. */
export function groupStyle({ groups, look }: Plot, index: number): GroupStyle {
  const key = groups[index]?.key ?? '';
  const chosen = look?.groups && Object.hasOwn(look.groups, key) ? look.groups[key] : undefined;
  const together = look?.layout === 'one' && groups.length > 1;
  const usual = together ? lookOfGroup(index) : undefined;
  const color = chosen?.color;
  return {
    color:
      color === undefined
        ? usual?.color
        : Object.hasOwn(plotColors, color)
          ? plotColors[color as keyof typeof plotColors]
          : color,
    symbol: chosen?.symbol ?? usual?.symbol ?? 'circle',
    dash: usual?.dash ?? [],
  };
}

/** Of letters in a look: their family as CSS has it, and size in pixels; `usual` where it says nothing. */
export function fontOf(look: Plot['look'], usual: { readonly family: string; readonly size: number }) {
  const { family, size } = look?.font ?? {};
  return {
    family: family === 'serif' ? "'Times New Roman', 'STIX Two Text', Times, serif" : usual.family,
    size: size === undefined ? usual.size : size * pixelsOf.point,
  };
}

/** In pixels; undefined where the document does not say. */
export function sizeOf(look: Plot['look']): { readonly width: number; readonly height: number } | undefined {
  if (!look?.size) return undefined;
  const [width = 0, height = 0] = look.size.map((length) => length * pixelsOf.millimetre);
  return { width, height };
}

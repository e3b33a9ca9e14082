/** The symbols of groups as paths of SVG, about as large as a circle of radius `r`. */
import type { PlotSymbol } from '../../../models/notation/plot-marks.ts';

export function symbolPath(symbol: PlotSymbol, x: number, y: number, r: number): string {
  switch (symbol) {
    case 'circle':
      return `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;
    case 'square':
      return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`;
    case 'triangle':
      return `M${x} ${y - 1.2 * r}L${x + 1.2 * r} ${y + r}H${x - 1.2 * r}Z`;
    case 'diamond':
      return `M${x} ${y - 1.4 * r}l${1.4 * r} ${1.4 * r}l${-1.4 * r} ${1.4 * r}l${-1.4 * r} ${-1.4 * r}Z`;
    case 'cross':
      return `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x - r} ${y + r}l${2 * r} ${-2 * r}`;
  }
}

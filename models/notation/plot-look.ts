/** How a plot is to look: an entry of a document's `view.plots`, by the block that it is of. Nothing in it changes a result. */
import * as v from 'valibot';
import { plotColors, plotSymbols } from './plot-marks.ts';
import { named, oneOf, strict, text } from './fields.ts';
import { scaleNames } from './scales.ts';

const within = (low: number, high: number, wanted: string) =>
  v.custom<number>((value) => typeof value === 'number' && value >= low && value <= high, wanted);

const millimetres = within(20, 1000, 'millimetres, 20 to 1000');
const names = Object.keys(plotColors).join(', ');

const axisLook = strict({
  scale: v.exactOptional(oneOf(scaleNames)),
  /** In place of the name and unit of what stands there. */
  title: v.exactOptional(text),
});

const groupLook = strict({
  color: v.exactOptional(
    v.custom<string>(
      (value) => typeof value === 'string' && (Object.hasOwn(plotColors, value) || /^#[0-9a-f]{6}$/i.test(value)),
      `a colour: ${names} or #rrggbb`,
    ),
  ),
  symbol: v.exactOptional(oneOf(plotSymbols)),
});

export const plotLook = strict({
  title: v.exactOptional(text),
  x: v.exactOptional(axisLook),
  y: v.exactOptional(axisLook),
  /** Curves of groups in one plot, or a small one each. */
  layout: v.exactOptional(oneOf(['one', 'panels'])),
  /** What error bars are: as the noise is known, none, or of replicates at one place around their mean. */
  errors: v.exactOptional(oneOf(['given', 'none', 'sd', 'sem'])),
  /** Of the whole figure. */
  size: v.exactOptional(v.pipe(v.array(millimetres), v.length(2, 'a size [width, height] in millimetres'))),
  /** In points. */
  font: v.exactOptional(
    strict({
      family: v.exactOptional(oneOf(['sans', 'serif'])),
      size: v.exactOptional(within(4, 36, 'points, 4 to 36')),
    }),
  ),
  /** By the label of the group. */
  groups: v.exactOptional(named(groupLook, 'looks by group')),
});

export type PlotLook = v.InferOutput<typeof plotLook>;

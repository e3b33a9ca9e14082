/** Curves that studies find, as the document has what they are of look: an entry of its `view.plots`. */
import type { PlotLook } from '../../../models/notation/plot-look.ts';
import type { Plot } from '../../contract/plots.ts';
import { plotSvg } from '../plots/svg.ts';

/** By the id of a block. */
export type Looks = (id: string) => PlotLook | undefined;

export interface StudyCurve {
  /** The block whose look it has. */
  readonly of: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly names: { readonly x: string; readonly y: string };
}

/** Undefined where there is no finite point. A colour is that of the group without a name. */
export function studyCurve({ of, x, y, names }: StudyCurve, look: PlotLook | undefined): string | undefined {
  if (!x.some((at, i) => Number.isFinite(at) && Number.isFinite(y[i]))) return undefined;
  const axis = (name: 'x' | 'y'): Plot['x'] => {
    const { scale = 'linear', title } = look?.[name] ?? {};
    return { id: null, label: names[name], unit: '', scale, ...(title && { title }) };
  };
  const order = [...x.keys()].sort((a, b) => x[a]! - x[b]!);
  const curve = { x: order.map((i) => x[i]!), y: order.map((i) => y[i]!) };
  return plotSvg({
    ...{ of, kind: 'comparison', prediction: null, by: null, x: axis('x'), y: axis('y') },
    groups: [{ key: null, points: { x: [], y: [] }, curve }],
    ...(look && { look }),
  });
}

/** What is found along the abscissa of a plot has the look of that plot, but for what is of the observations. */
export function alongPlot({ title: _title, y: _y, groups: _groups, layout: _layout, ...look }: PlotLook): PlotLook {
  return look;
}

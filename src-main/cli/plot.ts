/** `plot`: what the window plots, at the stored fit or else at the initial values. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createPlotter } from '../compute/plots/plots.ts';
import type { Plot } from '../contract/plots.ts';
import { fitOf, fittedValues } from '../compute/fit/fitted.ts';
import { asRefused } from '../compute/running/refusals.ts';
import { plotFile } from '../export/plots/svg.ts';
import { plotText } from '../export/plots/text.ts';
import { readFit } from '../files/documents.ts';
import { writeTogether } from '../files/durable.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printJson } from './output/output.ts';

interface PlotOptions extends ModelOptions {
  readonly out?: string;
  readonly bands: number;
}

export async function plot(path: string, options: PlotOptions): Promise<void> {
  const stored = await readFit(path);
  const { at, plots } = await withModel(path, options, async (model, device) => {
    try {
      const plotter = await createPlotter(model, device);
      const fit = fitOf(model, stored);
      const plots = fit
        ? await plotter.at(fittedValues(fit), { bands: { fit, level: options.bands } })
        : await plotter.at({});
      plotter.release();
      return { at: fit ? 'fit' : 'initial', plots };
    } catch (error) {
      throw asRefused(error);
    }
  });
  if (options.out !== undefined) {
    const folder = options.out;
    await mkdir(folder, { recursive: true });
    await writeTogether(plots.map((plot) => ({ path: join(folder, fileName(plot)), content: plotFile(plot) })));
  }
  if (options.json) printJson({ at, plots });
  else if (options.out === undefined) for (const plot of plots) process.stdout.write(plotText(plot));
}

/** `loss-residuals.svg`; a group's `/` is none of a folder's. */
const fileName = ({ of, kind }: Plot): string => `${of.replaceAll('/', '.')}-${kind}.svg`;

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
  const { at, plots, pictures } = await withModel(path, options, async (model, device) => {
    try {
      const plotter = await createPlotter(model, device);
      const fit = fitOf(model, stored);
      const drawn = (thinned: boolean): Promise<Plot[]> =>
        fit
          ? plotter.at(fittedValues(fit), { bands: { fit, level: options.bands }, thinned })
          : plotter.at({}, { thinned });
      const plots = options.json ? await drawn(false) : [];
      const pictures = options.out !== undefined || !options.json ? await drawn(true) : [];
      plotter.release();
      return { at: fit ? 'fit' : 'initial', plots, pictures };
    } catch (error) {
      throw asRefused(error);
    }
  });
  if (options.out !== undefined) {
    const folder = options.out;
    await mkdir(folder, { recursive: true });
    await writeTogether(pictures.map((plot) => ({ path: join(folder, fileName(plot)), content: plotFile(plot) })));
  }
  if (options.json) printJson({ at, plots });
  else if (options.out === undefined) for (const plot of pictures) process.stdout.write(plotText(plot));
}

/** `loss-residuals.svg`; a group's `/` is none of a folder's. */
const fileName = ({ of, kind }: Plot): string => `${of.replaceAll('/', '.')}-${kind}.svg`;

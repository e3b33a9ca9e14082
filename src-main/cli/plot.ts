/** `plot`: what the window plots, at the stored fit or else at the initial values. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { effectPlots } from '../compute/plots/effect-plots.ts';
import { createPlotter } from '../compute/plots/plots.ts';
import type { Diagnosis, Plot } from '../contract/plots.ts';
import { fitOf, fittedValues } from '../compute/fit/fitted.ts';
import { asRefused } from '../compute/running/refusals.ts';
import { plotFile } from '../export/plots/svg.ts';
import { checkText, plotText } from '../export/plots/text.ts';
import { readFit } from '../files/documents.ts';
import { makeFolder, writeTogether } from '../files/durable.ts';
import { Refused } from '../refused.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printJson } from './output/output.ts';

interface PlotOptions extends ModelOptions {
  readonly out?: string;
  readonly bands: number;
}

export async function plot(path: string, options: PlotOptions): Promise<void> {
  if (options.out !== undefined) {
    if (isPicture.test(options.out) && !isFolder(options.out))
      throw new Refused(
        `--out names a folder, for each plot is a file of its own: ${options.out} is the name of a picture.`,
      );
    await makeFolder(options.out);
  }
  const stored = await readFit(path);
  const { at, plots, pictures, diagnosis, shown } = await withModel(path, options, async (model, device) => {
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
      const told = async (thinned: boolean): Promise<Diagnosis> =>
        fit ? effectPlots(model, device, fit, { thinned }) : { plots: [], misfits: [], why: null };
      const diagnosis = options.json ? await told(false) : undefined;
      const shown = pictures.length > 0 ? await told(true) : undefined;
      return { at: fit ? 'fit' : 'initial', plots, pictures, diagnosis, shown };
    } catch (error) {
      throw asRefused(error);
    }
  });
  if (options.out !== undefined) {
    const folder = options.out;
    const files = [
      ...pictures.map((plot) => [fileName(plot, plot.kind), plot] as const),
      ...(shown?.plots ?? []).map(({ name, plot }) => [fileName(plot, name), plot] as const),
    ];
    await writeTogether(files.map(([name, plot]) => ({ path: join(folder, name), content: plotFile(plot) })));
  }
  if (options.json) {
    const { plots: diagnostics = [], misfits = [], why } = diagnosis ?? {};
    const isTold = diagnostics.length > 0 || typeof why === 'string';
    printJson({ at, plots, ...(isTold && { diagnostics, misfits, ...(why !== null && { why }) }) });
  } else if (options.out === undefined) {
    for (const plot of pictures) process.stdout.write(plotText(plot));
    for (const { name, plot, note } of shown?.plots ?? [])
      process.stdout.write(`${name === 'check' ? checkText(plot) : plotText(plot)}${note}\n\n`);
  }
  if (shown?.why) process.stderr.write(`${shown.why}\n`);
}

const isPicture = /\.(svg|png|pdf|jpe?g)$/i;
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** `loss-residuals.svg`; a group's `/` is none of a folder's. */
const fileName = ({ of }: Plot, name: string): string => `${of.replaceAll('/', '.')}-${name}.svg`;

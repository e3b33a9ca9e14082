/** The commands that write a model, its plots or its fit for others to read. */
import { Option } from 'commander';
import { exportTargets } from '../contract/export-targets.ts';
import type { Adding } from './adding.ts';
import { shareBetween } from './options.ts';

export function addWritingCommands({ modelCommand }: Adding): void {
  modelCommand('export', 'the model, its kernels or its values as text (docs/export.md)')
    .addOption(
      new Option('--to <target>', 'what is written')
        .choices([...exportTargets, 'petab', 'petab-1'] as const)
        .makeOptionMandatory(),
    )
    .option('--out <file>', 'write to a file (petab: a folder, .yaml or .zip), and nothing on standard output')
    .action(async (model, { to, ...options }) =>
      to === 'petab' || to === 'petab-1'
        ? (await import('./export-petab.ts')).exportProblem(model, to, options)
        : (await import('./export.ts')).exportText(model, { ...options, to }),
    );

  modelCommand('plot', 'what the window plots, at the stored fit or else at the initial values')
    .option('--out <folder>', 'write each plot as an SVG file there')
    .option('--bands <level>', 'of confidence, around what is plotted at a stored fit', shareBetween, 0.95)
    .action(async (model, options) => (await import('./plot.ts')).plot(model, options));

  modelCommand('report', 'the model, its data and its stored fit as one HTML file (docs/export.md)')
    .option('--out <file>', 'write to a file, and nothing on standard output')
    .action(async (model, options) => (await import('./report.ts')).report(model, options));
}

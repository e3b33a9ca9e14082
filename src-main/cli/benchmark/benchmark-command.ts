/** The command `benchmark` and its options. */
import { Argument, Option } from 'commander';
import { datasets } from '../../benchmark/datasets.ts';
import { suiteNames } from '../../benchmark/names.ts';
import { deviceChoices } from '../../device-choice.ts';
import type { Adding } from '../adding.ts';
import { wholeNumber } from '../options.ts';

export function addBenchmarkCommand({ command }: Adding): void {
  command('benchmark', 'time derivatives, primitives and fits (docs/benchmarks.md)')
    .addArgument(new Argument('[suite]', 'what to measure').choices(suiteNames).default('paper'))
    .addOption(new Option('--device <device>', 'where to compute').choices(deviceChoices).default('auto'))
    .addOption(new Option('--precision <precision>', 'on the CPU').choices(['f64', 'f32']).default('f32'))
    .addOption(new Option('--size <dataset>', '10⁷ elements, ten times or a tenth').choices(datasets).default('D1'))
    .option('--threads <n>', 'of the CPU; all unless said', wholeNumber(1))
    .option('--only <text>', 'rows whose names begin with it', '')
    .option('--pytorch <file>', 'what build/benchmarks/pytorch.py printed, for a column beside the suite pytorch')
    // For tests: everything as it is, on less.
    .addOption(new Option('--elements <n>', 'elements of D1').argParser(wholeNumber(1)).default(1e7).hideHelp())
    .option('--json', 'one JSON value on standard output', false)
    .action(async (suite, options) => (await import('./benchmark.ts')).benchmark(suite, options));
}

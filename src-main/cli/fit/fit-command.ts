/** The command `fit` and its options. */
import { Option } from 'commander';
import { fitFacts, namesOf } from '../../../models/facts/methods.ts';
import { schedules } from '../../contract/study-choices.ts';
import type { Adding } from '../adding.ts';
import { aboveZero, wholeNumber } from '../options.ts';

export function addFitCommand({ modelCommand }: Adding): void {
  modelCommand('fit', 'estimate the parameters')
    .addOption(
      new Option('--method <method>', 'the optimiser (the document’s own unless said)').choices(namesOf(fitFacts)),
    )
    .option('--starts <n>', 'number of starting points', wholeNumber(1))
    .option('--seed <s>', 'of the random starting points', wholeNumber(0))
    .option(
      '--max-iterations <n>',
      'end after so many, each start by itself, not converged (the method’s own limit unless said)',
      wholeNumber(1),
    )
    .option('--out <file>', 'write the result to a file as well, and every five seconds the best point so far')
    .option('--batch <n>', 'of adam: rows of a batch (all unless said)', wholeNumber(1))
    .addOption(new Option('--schedule <name>', 'of adam: how its rate changes').choices(schedules))
    .option('--rate <r>', 'of adam: its first rate, in units of the start (0.05 unless said)', aboveZero)
    .option('--from <file>', 'begin where an earlier fit ended, or was when it was stopped')
    .action(async (model, options) => (await import('./fit.ts')).fit(model, options));
}

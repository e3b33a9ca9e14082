/** The commands that ask what a fit is worth: intervals, sensitivities, designs, diagnoses, comparisons. */
import { Argument, Option } from 'commander';
import { namesOf, sensitivityFacts, uncertaintyFacts } from '../../../models/facts/methods.ts';
import { designMethods, resamplings } from '../../contract/study-choices.ts';
import { withModelOptions, type Adding } from '../adding.ts';
import { filePaths, list, shareBetween, wholeNumber } from '../options.ts';

export function addStudyCommands({ command, modelCommand }: Adding): void {
  modelCommand('uncertainty', 'intervals of the parameters, and a verdict on each')
    .addOption(
      new Option('--method <method>', 'how they are found').choices(namesOf(uncertaintyFacts)).makeOptionMandatory(),
    )
    .option('--level <share>', 'of confidence', shareBetween, 0.95)
    .option('--seed <s>', 'of replicates and chains', wholeNumber(0), 0)
    .option('--samples <n>', 'replicates of the bootstrap, or draws of each chain', wholeNumber(1))
    .option('--chains <n>', 'of hmc: Markov chains (4 unless said)', wholeNumber(1))
    .option(
      '--draws <file>',
      'of hmc: write every draw to a file: Parquet where its name ends in .parquet, else comma-separated values',
    )
    .addOption(new Option('--resample <what>', 'what the bootstrap draws again').choices(resamplings))
    .option('--sandwich', 'a covariance that noise of uneven strength does not mislead')
    .option('--band <ids>', 'outputs for which confidence and prediction bands are wanted', list)
    .action(async (model, options) => (await import('./uncertainty.ts')).uncertainty(model, options));

  modelCommand('sensitivity', 'what a result is sensitive to')
    .addOption(
      new Option('--method <method>', 'how it is studied').choices(namesOf(sensitivityFacts)).makeOptionMandatory(),
    )
    .option('--of <id>', 'the output that is studied (the objective unless said)')
    .option('--samples <n>', 'the base sample', wholeNumber(1))
    .option('--seed <s>', 'of the sample', wholeNumber(0), 0)
    .option('--log-uniform', 'draw parameters on a log scale with a uniform logarithm', false)
    .action(async (model, options) => (await import('./sensitivity.ts')).sensitivity(model, options));

  modelCommand('design', 'what to measure next: where one more observation tells most (docs/design.md)')
    .addOption(new Option('--criterion <name>', 'D (unless said), A, or c with --for').choices(designMethods))
    .option('--for <id>', 'a parameter or a quantity, whose standard error is to be small')
    .option('--add <k>', 'how many observations', wholeNumber(1), 1)
    .option('--range <json>', 'of the abscissa, and values that other columns have: {"t": [0, 24]}')
    .action(async (model, options) => (await import('./design.ts')).design(model, options));

  modelCommand(
    'diagnose',
    'of a fit with random effects: conditional residuals, and data drawn from the model (docs/fitting.md)',
  )
    .option('--samples <n>', 'data sets that are drawn', wholeNumber(2), 1000)
    .option('--seed <s>', 'of what is drawn', wholeNumber(0), 0)
    .option('--level <share>', 'of the intervals of what is drawn', shareBetween, 0.95)
    .option('--covariates <columns>', 'columns, score tests of which as covariates of the effects are wanted', list)
    .action(async (model, options) => (await import('./diagnose.ts')).diagnose(model, options));

  withModelOptions(
    command('compare', 'models of the same data, each fitted first: which the data prefer').addArgument(
      new Argument('<models...>').argParser(filePaths),
    ),
  )
    .addHelpText(
      'after',
      '\nELPD, leave-one-out (elpdLoo in JSON): the log density of each observation at the estimate of all others, added up;\nthe higher the better. Where there is none it says why (docs/comparing.md).',
    )
    .action(async (models, options) => (await import('./compare.ts')).compare(models, options));
}

/** The three commands of `ensemble`, and their options. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { fitFacts, namesOf, shardFacts } from '../../../models/facts/methods.ts';
import { resamplings } from '../../contract/study-choices.ts';
import { filePath, list, repeated, shareBetween, wholeNumber } from '../options.ts';

/** `i/n`: shard i, counted from 0, of n. */
function shardOf(text: string): [index: number, count: number] {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || count === undefined || !Number.isSafeInteger(count) || index >= count)
    throw new InvalidArgumentError('Wanted i/n, shard i of n counted from 0, as in 3/16.');
  return [index, count];
}

export function addEnsembleCommands(ensemble: Command): void {
  const command = (name: string, description: string): Command =>
    ensemble.command(name).description(description).allowExcessArguments(false);

  command('prepare', 'write a folder with the model, the plan of the shards and a Slurm array job')
    .addArgument(new Argument('<model>').argParser(filePath))
    .requiredOption('--study <study>', namesOf(shardFacts).join(', '))
    .requiredOption('--out <folder>', 'a folder that is not there yet')
    .option('--samples <n>', 'the base sample of a sensitivity study, or replicates of the bootstrap', wholeNumber(1))
    .option('--starts <n>', 'of multistart: the number of starting points', wholeNumber(1))
    .option('--shards <k>', 'how many jobs share it (16 unless said)', wholeNumber(1))
    .option('--seed <s>', 'of the sample, the replicates or the starting points', wholeNumber(0))
    .option('--of <id>', 'of a sensitivity study: the output that is studied (the objective unless said)')
    .option('--log-uniform', 'of a sensitivity study: draw parameters on a log scale with a uniform logarithm')
    .addOption(new Option('--method <method>', 'of multistart: the optimiser').choices(namesOf(fitFacts)))
    .option('--level <share>', 'of bootstrap and profile: of confidence (0.95 unless said)', shareBetween)
    .addOption(new Option('--resample <what>', 'what the bootstrap draws again').choices(resamplings))
    .option('--sandwich', 'of bootstrap and profile: a covariance that noise of uneven strength does not mislead')
    .option('--band <ids>', 'of bootstrap and profile: outputs for which bands are wanted', list)
    .addOption(
      new Option('--device <device>', 'where to compute').choices(['cpu', 'webgpu', 'reference']).default('cpu'),
    )
    .addOption(new Option('--precision <precision>', 'on the CPU').choices(['f64', 'f32']).default('f64'))
    .option('--set <id=value>', 'another value for a parameter or constant (repeatable)', repeated, [])
    .option('--json', 'one JSON value on standard output', false)
    .action(async (model, options) => (await import('./ensemble.ts')).prepareEnsemble(model, options));

  command('run <folder>', 'run one shard, unless it is done')
    .requiredOption('--shard <i/n>', 'shard i of n, counted from 0', shardOf)
    .option('--again', 'even where it is done', false)
    .action(async (folder, options) => (await import('./ensemble.ts')).runShard(folder, options));

  command('collect <folder>', 'the result of the shards that were run; exit status 3 where some are missing')
    .option('--json', 'one JSON value on standard output', false)
    .action(async (folder, options) => (await import('./ensemble.ts')).collectEnsemble(folder, options));
}

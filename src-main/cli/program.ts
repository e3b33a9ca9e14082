/** The commands and their options. Each command's own module is loaded when it runs. */
import { Argument, Command, Option } from 'commander';
import { suiteNames } from '../benchmark/names.ts';
import { datasets } from '../benchmark/datasets.ts';
import { fitFacts, namesOf, sensitivityFacts, uncertaintyFacts } from '../../models/facts/methods.ts';
import { deviceChoices } from '../device-choice.ts';
import { exportTargets } from '../contract/export-targets.ts';
import { designMethods, resamplings, schedules } from '../contract/study-choices.ts';
import { describe } from './completion/described.ts';
import { manualPage } from './completion/manual.ts';
import { completionFor, shells, type Shell } from './completion/shells.ts';
import { addEnsembleCommands } from './ensemble/ensemble-commands.ts';
import {
  aboveZero,
  anyNumber,
  filePath,
  filePaths,
  list,
  portNumber,
  repeated,
  shareBetween,
  wholeNumber,
} from './options.ts';
import { printLicences, readVersion } from './version.ts';

function withModelOptions(command: Command): Command {
  return command
    .addOption(new Option('--device <device>', 'where to compute').choices(deviceChoices).default('auto'))
    .addOption(new Option('--precision <precision>', 'on the CPU').choices(['f64', 'f32']).default('f64'))
    .option('--set <id=value>', 'another value for a parameter or constant (repeatable)', repeated, [])
    .option('--json', 'one JSON value on standard output', false);
}

const ruleOption = (): Option =>
  new Option('--rule <block=name>', 'force a rewrite rule on a block (repeatable)').argParser(repeated).default([]);

export function createProgram(): Command {
  const program = new Command('cotangent')
    .description('Draw a scientific model, get exact gradients, fit it, and learn what the data determine.')
    .version(readVersion(), '--version', 'print the version')
    .option('--licenses', 'print the licences of all that is bundled')
    .on('option:licenses', printLicences)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'cotangent: ').replace(/\n(?=.)/g, ' ')),
    });
  const command = (name: string, description: string): Command =>
    // Subcommands inherit exitOverride and output from `program.command`.
    program.command(name).description(description).allowExcessArguments(false);
  const modelCommand = (name: string, description: string): Command =>
    withModelOptions(command(name, description).addArgument(new Argument('<model>').argParser(filePath)));

  const openedModel = (): Argument => new Argument('[model]').argParser(filePath);
  command('open', 'open the app on a model')
    .addArgument(openedModel())
    .action(async (model?: string) => (await import('./open.ts')).open(model));

  modelCommand('check', 'read a model, infer types and shapes, test operator laws').action(async (model, options) =>
    (await import('./check.ts')).check(model, options),
  );

  modelCommand('evaluate', 'values of blocks')
    .requiredOption('--output <ids>', 'blocks, or outputs of blocks, separated by commas', list)
    .action(async (model, options) => (await import('./evaluate.ts')).evaluate(model, options));

  modelCommand('simulate', 'courses over time, of an imported SBML model or of one’s own')
    .requiredOption('--start <t>', 'the first time', anyNumber)
    .requiredOption('--end <t>', 'the last time', anyNumber)
    .requiredOption('--steps <n>', 'even steps from the first to the last', wholeNumber(1))
    .option('--output <ids>', 'names of outputs, separated by commas outside brackets (all unless said)', list)
    .option('--relative <r>', 'the relative tolerance of the solver', aboveZero)
    .option('--absolute <a>', 'the absolute tolerance of the solver', aboveZero)
    .action(async (model, options) => (await import('./simulate.ts')).simulate(model, options));

  command(
    'import <file>',
    'a table as its first model (docs/importing.md), SBML (docs/sbml.md) or a PEtab problem (docs/petab.md) as a document',
  )
    .option('--out <file>', 'write the document there')
    .option('--roles <json>', 'of a table: what columns are for, as {"x": "time", "y": ["s1", "s2"], "group": "drug"}')
    .option('--shape <name>', 'of a table: one shape of the library; the best of those that could fit unless said')
    .option(
      '--parameters <json>',
      'of a table in groups: {"k": "shared" | "group" | "hierarchical"}, "*" for all others; found unless said',
    )
    .option('--json', 'one JSON value on standard output', false)
    .action(async (file, options) => (await import('./import/import.ts')).importFile(file, options));

  modelCommand('differentiate', 'exact derivatives in reverse or forward mode')
    .requiredOption('--of <id>', 'the block, or output of a block, to differentiate')
    .option('--wrt <ids>', 'the sources to differentiate by (all parameters unless said)', list)
    .option('--cotangent <json>', 'what the value is weighted with; 1 for a scalar')
    .option('--tangent <json>', 'forward mode: the direction, by source')
    .addOption(ruleOption())
    .action(async (model, options) => (await import('./differentiate.ts')).differentiate(model, options));

  modelCommand('hessian', 'exact second derivatives by every element of every parameter')
    .option('--of <id>', 'the scalar to differentiate twice (the objective unless said)')
    .option('--vector <json>', 'an array in the order of the parameters: the product with it, the matrix never formed')
    .action(async (model, options) => (await import('./hessian.ts')).hessian(model, options));

  modelCommand('rules', 'the rewrite rule chosen for every reduce, scan and histogram')
    .addOption(ruleOption())
    .option('--program', 'print the differentiated program instead', false)
    .action(async (model, options) => (await import('./rules.ts')).rules(model, options));

  modelCommand('fit', 'estimate the parameters')
    .addOption(
      new Option('--method <method>', 'the optimiser (the document’s own unless said)').choices(namesOf(fitFacts)),
    )
    .option('--starts <n>', 'number of starting points', wholeNumber(1))
    .option('--seed <s>', 'of the random starting points', wholeNumber(0))
    .option(
      '--max-iterations <n>',
      'end after so many, not converged (the method’s own limit unless said)',
      wholeNumber(1),
    )
    .option('--out <file>', 'write the result to a file as well, and every five seconds the best point so far')
    .option('--batch <n>', 'of adam: rows of a batch (all unless said)', wholeNumber(1))
    .addOption(new Option('--schedule <name>', 'of adam: how its rate changes').choices(schedules))
    .option('--rate <r>', 'of adam: its first rate, in units of the start (0.05 unless said)', aboveZero)
    .option('--from <file>', 'begin where an earlier fit ended, or was when it was stopped')
    .action(async (model, options) => (await import('./fit/fit.ts')).fit(model, options));

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
    .action(async (suite, options) => (await import('./benchmark/benchmark.ts')).benchmark(suite, options));

  modelCommand('uncertainty', 'intervals of the parameters, and a verdict on each')
    .addOption(
      new Option('--method <method>', 'how they are found').choices(namesOf(uncertaintyFacts)).makeOptionMandatory(),
    )
    .option('--level <share>', 'of confidence', shareBetween, 0.95)
    .option('--seed <s>', 'of replicates and chains', wholeNumber(0), 0)
    .option('--samples <n>', 'replicates of the bootstrap, or draws of each chain', wholeNumber(1))
    .option('--chains <n>', 'of hmc: Markov chains (4 unless said)', wholeNumber(1))
    .option('--draws <file>', 'of hmc: write every draw to a file of comma-separated values')
    .addOption(new Option('--resample <what>', 'what the bootstrap draws again').choices(resamplings))
    .option('--sandwich', 'a covariance that noise of uneven strength does not mislead')
    .option('--band <ids>', 'outputs for which confidence and prediction bands are wanted', list)
    .action(async (model, options) => (await import('./study/uncertainty.ts')).uncertainty(model, options));

  modelCommand('sensitivity', 'what a result is sensitive to')
    .addOption(
      new Option('--method <method>', 'how it is studied').choices(namesOf(sensitivityFacts)).makeOptionMandatory(),
    )
    .option('--of <id>', 'the output that is studied (the objective unless said)')
    .option('--samples <n>', 'the base sample', wholeNumber(1))
    .option('--seed <s>', 'of the sample', wholeNumber(0), 0)
    .option('--log-uniform', 'draw parameters on a log scale with a uniform logarithm', false)
    .action(async (model, options) => (await import('./study/sensitivity.ts')).sensitivity(model, options));

  modelCommand('design', 'what to measure next: where one more observation tells most (docs/design.md)')
    .addOption(new Option('--criterion <name>', 'D (unless said), A, or c with --for').choices(designMethods))
    .option('--for <id>', 'a parameter or a quantity, whose standard error is to be small')
    .option('--add <k>', 'how many observations', wholeNumber(1), 1)
    .option('--range <json>', 'of the abscissa, and values that other columns have: {"t": [0, 24]}')
    .action(async (model, options) => (await import('./study/design.ts')).design(model, options));

  modelCommand(
    'diagnose',
    'of a fit with random effects: conditional residuals, and data drawn from the model (docs/fitting.md)',
  )
    .option('--samples <n>', 'data sets that are drawn', wholeNumber(2), 1000)
    .option('--seed <s>', 'of what is drawn', wholeNumber(0), 0)
    .option('--level <share>', 'of the intervals of what is drawn', shareBetween, 0.95)
    .option('--covariates <columns>', 'columns, score tests of which as covariates of the effects are wanted', list)
    .action(async (model, options) => (await import('./study/diagnose.ts')).diagnose(model, options));

  withModelOptions(
    command('compare', 'models of the same data, each fitted first: which the data prefer').addArgument(
      new Argument('<models...>').argParser(filePaths),
    ),
  ).action(async (models, options) => (await import('./study/compare.ts')).compare(models, options));

  addEnsembleCommands(command('ensemble', 'run a study in shards, on a cluster (docs/ensembles.md)'));

  command('devices', 'what can compute here, and why something cannot')
    .option('--json', 'one JSON value on standard output', false)
    .action(async (options) => (await import('./devices.ts')).devices(options));

  command('serve', 'serve the app to a browser on 127.0.0.1')
    .addArgument(openedModel())
    .option('--port <n>', 'a free one unless said', portNumber, 0)
    .action(async (model, options) => (await import('./serve.ts')).serve(model, options));

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

  command('completion', 'what a shell reads to complete commands and options')
    .addArgument(new Argument('<shell>', 'which').choices(shells))
    .action((shell: Shell) => void process.stdout.write(completionFor(shell, describe(program))));

  command('man', 'the manual page, for man(1)').action(
    () => void process.stdout.write(manualPage(readVersion(), describe(program))),
  );

  demandAfterParsing(program);
  return program;
}

/** What is missing is told after what is unknown: a name that was mistyped is both. */
function demandAfterParsing(program: Command): void {
  const demanded = new Map<Command, Option[]>();
  const visit = (command: Command): void => {
    const options = command.options.filter(({ mandatory }) => mandatory);
    for (const option of options) option.mandatory = false;
    demanded.set(command, options);
    command.commands.forEach(visit);
  };
  visit(program);
  program.hook('preAction', (_, command) => {
    const missing = demanded
      .get(command)
      ?.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing) command.error(`error: required option '${missing.flags}' not specified`);
  });
}

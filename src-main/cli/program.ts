/** The commands and their options. Each command's own module is loaded when it runs. */
import { Argument, Command, type Option } from 'commander';
import { addingTo, type Adding } from './adding.ts';
import { addBenchmarkCommand } from './benchmark/benchmark-command.ts';
import { describe } from './completion/described.ts';
import { manualPage } from './completion/manual.ts';
import { completionFor, shells, type Shell } from './completion/shells.ts';
import { addEnsembleCommands } from './ensemble/ensemble-commands.ts';
import { addFitCommand } from './fit/fit-command.ts';
import { addModelCommands } from './model-commands.ts';
import { filePath, portNumber } from './options.ts';
import { addStudyCommands } from './study/study-commands.ts';
import { printLicences, readVersion } from './version.ts';
import { addWritingCommands } from './writing-commands.ts';

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
  const adding = addingTo(program);
  addOpenCommands(adding);
  addImportCommand(adding);
  addModelCommands(adding);
  addFitCommand(adding);
  addStudyCommands(adding);
  addEnsembleCommands(adding.command('ensemble', 'run a study in shards, on a cluster (docs/ensembles.md)'));
  addWritingCommands(adding);
  addDevicesCommand(adding);
  addBenchmarkCommand(adding);
  addShellCommands(adding, program);
  demandAfterParsing(program);
  return program;
}

function addOpenCommands({ command }: Adding): void {
  const openedModel = (): Argument => new Argument('[model]').argParser(filePath);
  command('open', 'open the app on a model')
    .addArgument(openedModel())
    .action(async (model?: string) => (await import('./open.ts')).open(model));

  command('serve', 'serve the app to a browser on 127.0.0.1')
    .addArgument(openedModel())
    .option('--port <n>', 'a free one unless said', portNumber, 0)
    .action(async (model, options) => (await import('./serve.ts')).serve(model, options));
}

function addImportCommand({ command }: Adding): void {
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
}

function addDevicesCommand({ command }: Adding): void {
  command('devices', 'what can compute here, and why something cannot')
    .option('--json', 'one JSON value on standard output', false)
    .action(async (options) => (await import('./devices.ts')).devices(options));
}

function addShellCommands({ command }: Adding, program: Command): void {
  command('completion', 'what a shell reads to complete commands and options')
    .addArgument(new Argument('<shell>', 'which').choices(shells))
    .action((shell: Shell) => void process.stdout.write(completionFor(shell, describe(program))));

  program
    .command('ids', { hidden: true })
    .argument('<words...>')
    .action(async (words: readonly string[]) => (await import('./completion/ids.ts')).printIds(words));

  command('man', 'the manual page, for man(1)').action(
    () => void process.stdout.write(manualPage(readVersion(), describe(program))),
  );
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

/** The commands and options as data, of which completions and the manual page are made. */
import type { Command } from 'commander';

export interface DescribedOption {
  /** `--method` */
  readonly flag: string;
  /** `--method <method>` */
  readonly usage: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** What follows the id of a block where one is wanted, as `=` in `--set k=2`; undefined where none is. */
  readonly afterId: '' | '=' | undefined;
}

export interface DescribedCommand {
  /** `ensemble prepare` */
  readonly path: string;
  /** `<model>` */
  readonly takes: string;
  readonly description: string;
  readonly options: readonly DescribedOption[];
  /** Of its first argument. */
  readonly choices: readonly string[];
  /** Names of those below it. */
  readonly commands: readonly string[];
}

/** By what stands for the value: `<id>`, `<ids>`, `<id=value>`, `<block=name>`. */
function afterId(flags: string): DescribedOption['afterId'] {
  if (/<ids?>/.test(flags)) return '';
  return /<(?:id|block)=/.test(flags) ? '=' : undefined;
}

/** Every command that is told of, each before those below it; the program itself has the path ''. */
export function describe(command: Command, path = ''): DescribedCommand[] {
  const { registeredArguments, options } = command;
  // A hidden one has no line in the program's help, by which it is known.
  const told = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
  const commands = command.commands.filter((each) => told.includes(each.name()));
  const own: DescribedCommand = {
    path,
    takes: registeredArguments
      .map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`))
      .join(' '),
    description: command.description(),
    options: options
      .filter(({ hidden }) => !hidden)
      .map(({ long, flags, description, required, optional, argChoices }) => ({
        ...{ flag: long ?? flags, usage: flags, description, takesValue: required || optional },
        choices: argChoices ?? [],
        afterId: afterId(flags),
      })),
    choices: registeredArguments[0]?.argChoices ?? [],
    commands: commands.map((each) => each.name()),
  };
  return [own, ...commands.flatMap((each) => describe(each, path === '' ? each.name() : `${path} ${each.name()}`))];
}

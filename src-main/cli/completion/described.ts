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

/** Every command, each before those below it; the program itself has the path ''. */
export function describe(command: Command, path = ''): DescribedCommand[] {
  const { registeredArguments, options, commands } = command;
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
      })),
    choices: registeredArguments[0]?.argChoices ?? [],
    commands: commands.map((each) => each.name()),
  };
  return [own, ...commands.flatMap((each) => describe(each, path === '' ? each.name() : `${path} ${each.name()}`))];
}

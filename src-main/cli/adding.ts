/** How commands are added to the program, alike in what all of them have. */
import { Argument, Option, type Command } from 'commander';
import { deviceChoices } from '../device-choice.ts';
import { filePath, repeated } from './options.ts';

export interface Adding {
  command(name: string, description: string): Command;
  /** One that takes a model. */
  modelCommand(name: string, description: string): Command;
}

export function addingTo(program: Command): Adding {
  // Subcommands inherit exitOverride and output from `program.command`.
  const command = (name: string, description: string): Command =>
    program.command(name).description(description).allowExcessArguments(false);
  return {
    command,
    modelCommand: (name, description) =>
      withModelOptions(command(name, description).addArgument(new Argument('<model>').argParser(filePath))),
  };
}

export function withModelOptions(command: Command): Command {
  return command
    .addOption(new Option('--device <device>', 'where to compute').choices(deviceChoices).default('auto'))
    .addOption(new Option('--precision <precision>', 'on the CPU').choices(['f64', 'f32']).default('f64'))
    .option('--set <id=value>', 'another value for a parameter or constant (repeatable)', repeated, [])
    .option('--json', 'one JSON value on standard output', false);
}

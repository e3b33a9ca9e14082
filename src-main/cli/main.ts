/** The command line's entry: parses arguments, runs one command, and sets the exit status. */
import { printFailure } from './failure.ts';
import { createProgram } from './program.ts';

try {
  await createProgram().parseAsync(process.argv);
} catch (error) {
  process.exitCode = printFailure(error);
}

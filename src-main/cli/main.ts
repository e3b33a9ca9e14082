/** The command line's entry: parses arguments, runs one command, and sets the exit status. */
import { printFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { writeOutputWhole } from './output/whole-output.ts';

writeOutputWhole(process.stdout);

/** Without a command, the app. */
const args = process.argv.length > 2 ? process.argv.slice(2) : ['open'];

try {
  await createProgram().parseAsync(args, { from: 'user' });
} catch (error) {
  process.exitCode = printFailure(error);
}

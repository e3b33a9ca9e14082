/** The command line's entry: parses arguments, runs one command, and sets the exit status. */
import { printFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { writeOutputWhole } from './output/whole-output.ts';

writeOutputWhole(process.stdout);

const given = process.argv.slice(2);
/** A path or a URL: no command has a dot, a slash or a colon in its name. */
const isFile = (text: string): boolean => /^[^-].*[./:]|^[./]/.test(text);
/** Without a command, the app. */
const args = given[0] === undefined || isFile(given[0]) ? ['open', ...given] : given;

try {
  await createProgram().parseAsync(args, { from: 'user' });
} catch (error) {
  process.exitCode = printFailure(error);
}

/**
 * Lints the components: `node build/components/lint.mjs` says what `npx eslint src-renderer` does, in less than half of the time.
 *
 * A component that is read changes the program, and each program infers its types anew, those of the documents' schema above all,
 * which take a second. So all are read before the first is held to a rule: no rule changes the program any more, and what one has
 * inferred serves the next.
 */
import { ESLint } from 'eslint';

await new ESLint({ ruleFilter: () => false }).lintFiles('src-renderer');
const eslint = new ESLint();
const results = await eslint.lintFiles('src-renderer');
const formatter = await eslint.loadFormatter();
process.stdout.write(await formatter.format(results));
process.exitCode = results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0) ? 1 : 0;

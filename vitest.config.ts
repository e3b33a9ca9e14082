import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { runes } from './test/support/runes.ts';

const files = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts'));

/** Of these files those whose text has it. */
const holding = (pattern: RegExp, of: readonly string[]): string[] =>
  of.filter((path) => pattern.test(readFileSync(join(import.meta.dirname, path), 'utf8')));

/** A GPU is opened by the module that lends it, and closed after the file that asked for it first. */
const onGpu = holding(/from '.*\/gpu\.ts'/, files);

/** Tests of what outlives a test: processes and their threads, streams, clocks, modules put in another's place, a GPU, the globals of a window. */
const alone = [
  'test/build/**/*.test.ts',
  'test/engine/5-runtime/**/*.test.ts',
  ...holding(
    /\bvi\.(?:mock|stub|useFakeTimers|resetModules)|\b(?:spawn|fork)|\bprocess\.(?:on|exit|std)|new Worker/,
    files.filter((path) => /^test\/src-(?:renderer|main)\//.test(path)),
  ),
  ...onGpu,
];

/** Random cases by a list of rules, of which the text is short and the run is not. */
const sweeps = holding(/from '.*\/sweep\/run\.ts'/, files);

/** What takes long whatever its size first: sweeps, and what software compiles kernels for; then the largest files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number =>
      [sweeps, onGpu].findIndex((some) => some.some((path) => moduleId.endsWith(path)));
    return [0, 1, -1].flatMap((kind) => sorted.filter((file) => rank(file) === kind));
  }
}

export default defineConfig({
  plugins: [runes()],
  test: {
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/gpu-environment.ts', 'test/support/scratch.ts'],
    // What hangs is found out by these; what is slow on a busy machine is not.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    pool: 'threads',
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    projects: [
      // Files of pure modules share a thread: what one has loaded, and the machine has warmed to, serves the next.
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/desktop/**', ...alone],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, sequence: { groupOrder: 1 } } },
    ],
  },
});

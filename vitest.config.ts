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

/** Tests of what outlives a test: processes and their threads, streams, clocks, a GPU, the globals of a window. */
const alone = [
  'test/build/**/*.test.ts',
  'test/src-main/{cli,desktop,engine-process,faults,files,serve}/**/*.test.ts',
  'test/engine/5-runtime/**/*.test.ts',
  ...holding(
    /\bvi\.|globalThis|\bprocess\.|spawn|fork|setTimeout|Worker/,
    files.filter((path) => /^test\/src-(?:renderer|main\/(?:benchmark|compute|contract|export))\//.test(path)),
  ),
  ...onGpu,
];

/** The largest files first, and before them those on a GPU: software compiles their kernels, for which a small file takes longest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOnGpu = ({ moduleId }: TestSpecification): boolean => onGpu.some((path) => moduleId.endsWith(path));
    return [...sorted.filter(isOnGpu), ...sorted.filter((file) => !isOnGpu(file))];
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

/**
 * `npm test`: brings the project about, then checks types, style and format, runs the unit tests, and drives the window
 * in Chromium and, where there is an Electron, as the packaged desktop app. The last line on standard output sums up.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fetchedElectron } from './electron.mjs';
import { prepare, root } from './prepare.mjs';
import { failures, leftOut, notPassed, partLine } from './test-summary.mjs';
import { findProgram, findSystem, runBeside, runToEnd, runVisibly, softwareVulkan } from './system.mjs';

await prepare();

const results = join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const summary = [];
const node = (script, args, env = {}) =>
  runVisibly(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  });

/** Tests that failed or were left out, by name. */
const named = [];

/** A part that has just ended. */
function record(name, began, passed, failed, skipped = 0) {
  summary.push({ name, passed, failed, skipped, seconds: (performance.now() - began) / 1000 });
}

/**
 * Tools that are one test each: they find nothing or they fail. Each keeps but one core busy: two run beside each other,
 * the longest first; what a tool says is shown in one piece.
 */
async function check(tools) {
  const waiting = [...tools];
  const lane = async () => {
    for (let tool = waiting.shift(); tool; tool = waiting.shift()) {
      const began = performance.now();
      const { status, output } = await runToEnd(process.execPath, [join(root, tool.script), ...tool.args], {
        cwd: root,
      });
      process.stdout.write(output);
      // What it found stands at the end once more: an hour of tests lies between.
      if (status !== 0) named.push(...output.trimEnd().split('\n').slice(-20));
      record(tool.name, began, status === 0 ? 1 : 0, status === 0 ? 0 : 1);
    }
  };
  await Promise.all([lane(), lane()]);
}

function readReport(file) {
  const path = join(results, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function vitest() {
  const began = performance.now();
  const file = 'vitest.json';
  const vulkan = process.env.VK_DRIVER_FILES ?? softwareVulkan();
  const status = node(
    'vitest/vitest.mjs',
    [
      'run',
      '--reporter=default',
      `--reporter=${join(root, 'test', 'support', 'stray-errors.ts')}`,
      '--reporter=json',
      `--outputFile.json=${join(results, file)}`,
    ],
    vulkan ? { VK_DRIVER_FILES: vulkan } : {},
  );
  const report = readReport(file);
  const failed = report?.numFailedTests ?? 0;
  named.push(...leftOut(report, root), ...failures(report, readReport('stray-errors.json') ?? [], root));
  // A file that does not load, or an error outside any test, fails the run without a failed test.
  record(
    'unit tests',
    began,
    report?.numPassedTests ?? 0,
    failed || (status === 0 ? 0 : 1),
    report?.numPendingTests ?? 0,
  );
}

async function playwright(project, env, wrapper = []) {
  const began = performance.now();
  const file = `playwright-${project}.json`;
  const command = [...wrapper, process.execPath, join(root, 'node_modules', '@playwright', 'test', 'cli.js')];
  const args = ['test', '--config', join('test', 'desktop', 'playwright.config.ts'), `--project=${project}`];
  // Each run clears the folder of its results first.
  const status = await runBeside(command[0], [...command.slice(1), ...args, `--output=${join(results, project)}`], {
    cwd: root,
    env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: join(results, file) },
  });
  const report = readReport(file);
  const stats = report?.stats ?? { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  named.push(...notPassed(report));
  // What passes only the second time is as wrong as what never does.
  const failed = stats.unexpected + stats.flaky;
  record(`window, ${project}`, began, stats.expected, failed || (status === 0 ? 0 : 1), stats.skipped);
}

/**
 * Packages the app as for release, save the one fuse by which Playwright attaches: where there is dpkg-deb, what a .deb
 * installs, unpacked into a folder of its own, and the zip of the same beside it, and where there is rpmbuild the .rpm. Gives the folder that has both.
 */
function packageForTest(electronDist) {
  const began = performance.now();
  const release = join(root, '.cache', 'test-package');
  const dpkg = process.platform === 'linux' ? findProgram('dpkg-deb') : undefined;
  rmSync(release, { recursive: true, force: true });
  const rpm = findProgram('rpmbuild') ? ['--target=rpm'] : [];
  const forms = dpkg ? ['--target=deb', '--target=zip', ...rpm] : ['--dir'];
  let status = runVisibly(process.execPath, [join(root, 'build', 'package.mjs'), ...forms, `--output=${release}`], {
    cwd: root,
    env: { ...process.env, ELECTRON_DIST: electronDist, COTANGENT_TEST_BUILD: '1' },
  });
  if (status === 0 && dpkg) {
    const deb = readdirSync(release).find((name) => name.endsWith('.deb'));
    status = runVisibly(dpkg, ['--extract', join(release, deb), join(release, 'installed')]);
    rmSync(join(release, 'linux-unpacked'), { recursive: true });
  }
  record('desktop package', began, status === 0 ? 1 : 0, status === 0 ? 0 : 1);
  return status === 0 ? release : undefined;
}

const electron = process.env.ELECTRON_DIST ?? fetchedElectron();
const { chromium, xvfb, missing } = findSystem({ needsDisplay: electron !== undefined });
const packaged = electron && (process.platform !== 'linux' || xvfb || process.env.DISPLAY);

await check([
  { name: 'lint of components', script: 'build/components/lint.mjs', args: [] },
  {
    name: 'lint',
    script: 'node_modules/oxlint/bin/oxlint',
    args: ['--type-aware', '--threads=1', '--report-unused-disable-directives-severity=error'],
  },
  // Of components and of all that is TypeScript.
  {
    name: 'types',
    script: 'node_modules/svelte-check/bin/svelte-check',
    args: ['--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'human'],
  },
  { name: 'format', script: 'node_modules/prettier/bin/prettier.cjs', args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'unused', script: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
]);
vitest();
const release = packaged ? packageForTest(electron) : undefined;
// Without -noreset the server begins anew whenever its last window has gone, and whoever starts meanwhile finds none.
const display = '-screen 0 1280x1024x24 -noreset';
const both = chromium && release ? { BOTH_HOSTS_DRIVEN: '1' } : {};
// Both hosts at once: a window waits for its engine, its disk and its animations more than it computes.
await Promise.all([
  chromium && playwright('browser', { CHROMIUM: chromium, ...both }),
  release && playwright('desktop', { COTANGENT_PACKAGE: release, ...both }, xvfb ? [xvfb, '-a', '-s', display] : []),
]);
if (!packaged)
  missing.push(
    'There is no Electron here, or no display for it: the desktop app is not tested (set ELECTRON_DIST to a folder that holds one).',
  );

process.stdout.write('\n');
for (const line of [...named, ...summary.map(partLine)]) process.stdout.write(`${line}\n`);
for (const line of missing) process.stdout.write(`${line}\n`);

const sum = (key) => summary.reduce((total, entry) => total + entry[key], 0);
const skipped = sum('skipped');
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed${skipped ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = sum('failed') > 0 ? 1 : 0;

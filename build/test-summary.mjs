/** What `npm test` says at its end: how each part went and how long it took, what failed, what was left out. */
import { relative } from 'node:path';

/** `4 min 5 s`, `12.3 s`. */
export function duration(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `types: 1 passed, 0 failed, 12.3 s`. */
export function partLine({ name, passed, failed, skipped, seconds }) {
  return `${name}: ${passed} passed, ${failed} failed${skipped ? `, ${skipped} left out` : ''}, ${duration(seconds)}`;
}

const mostNamed = 3;

/** The tests of a vitest report that were left out (for want of a GPU, JAX, Slurm, …), a line for each file. */
export function leftOut(report, root) {
  return (report?.testResults ?? []).flatMap(({ name, assertionResults }) => {
    const names = assertionResults
      .filter(({ status }) => status === 'skipped' || status === 'pending')
      .map(({ fullName }) => fullName);
    if (names.length === 0) return [];
    const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
    const file = relative(root, name).split('\\').join('/');
    return [`left out in ${file}: ${names.slice(0, mostNamed).join('; ')}${more}`];
  });
}

const colours = /\u001b\[[\d;]*m/g; // eslint-disable-line no-control-regex

/** The first lines of what a failure says, set in: the log of a run is often kept from its end alone. */
function said(message) {
  const lines = (message ?? '')
    .replace(colours, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.slice(0, 12).map((line) => `    ${line.slice(0, 300)}`);
}

/** The tests, files and stray errors of a vitest run that failed, each with the beginning of what it says. */
export function failures(report, strayErrors, root) {
  const tests = (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name).split('\\').join('/');
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`failed in ${file}`, ...said(message)] : [];
    return failed.flatMap(({ fullName, failureMessages }) => [
      `failed in ${file}: ${fullName}`,
      ...said(failureMessages?.join('\n')),
    ]);
  });
  return [...tests, ...strayErrors.flatMap((error) => ['failed outside any test', ...said(error)])];
}

/** The tests of a Playwright report that did not pass at once, or were left out, by file and title. */
export function notPassed(report) {
  const within = (suite) => [
    ...(suite.specs ?? []).flatMap(({ file, title, tests }) =>
      tests.flatMap(({ status, results }) => {
        if (status === 'expected') return [];
        const message = results?.flatMap(({ error }) => error?.message ?? [])[0];
        return [`${status === 'unexpected' ? 'failed' : status} in ${file}: ${title}`, ...said(message)];
      }),
    ),
    ...(suite.suites ?? []).flatMap(within),
  ];
  return (report?.suites ?? []).flatMap(within);
}

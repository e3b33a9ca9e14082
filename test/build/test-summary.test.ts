/** What the tests say of themselves at their end. */
import { expect, it } from 'vitest';
import { duration, failures, leftOut, notPassed, partLine } from '../../build/test-summary.mjs';

it('tells how long each part took', () => {
  expect([0.04, 12.34, 59.94, 125.4, 3599.7].map(duration)).toEqual([
    '0.0 s',
    '12.3 s',
    '59.9 s',
    '2 min 5 s',
    '60 min 0 s',
  ]);
  const part = { name: 'types', passed: 1, failed: 0, skipped: 0, seconds: 2 };
  expect(partLine(part)).toBe('types: 1 passed, 0 failed, 2.0 s');
  expect(partLine({ ...part, skipped: 4 })).toBe('types: 1 passed, 0 failed, 4 left out, 2.0 s');
});

it('names what was left out, file by file', () => {
  const result = (status: string, fullName: string) => ({ status, fullName });
  const report = {
    testResults: [
      {
        name: '/root/test/a.test.ts',
        assertionResults: [result('passed', 'one'), result('skipped', 'under Slurm two')],
      },
      {
        name: '/root/test/b.test.ts',
        assertionResults: ['1', '2', '3', '4', '5'].map((name) => result('pending', name)),
      },
      { name: '/root/test/c.test.ts', assertionResults: [result('failed', 'three')] },
    ],
  };
  expect(leftOut(report, '/root')).toEqual([
    'left out in test/a.test.ts: under Slurm two',
    'left out in test/b.test.ts: 1; 2; 3 and 2 more',
  ]);
  expect(leftOut(undefined, '/root')).toEqual([]);
});

it('names what failed and tells how it began, errors outside any test too', () => {
  const report = {
    testResults: [
      {
        name: '/root/test/a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'one' },
          { status: 'failed', fullName: 'two', failureMessages: ['\u001b[31mexpected 1\u001b[39m\n\n  to be 2'] },
        ],
      },
      { name: '/root/test/b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      { name: '/root/test/c.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'three' }] },
    ],
  };
  expect(failures(report, ['Error: stray\n  at x'], '/root')).toEqual([
    'failed in test/a.test.ts: two',
    '    expected 1',
    '      to be 2',
    'failed in test/b.test.ts',
    '    no such module',
    'failed outside any test',
    '    Error: stray',
    '      at x',
  ]);
  expect(failures(undefined, [], '/root')).toEqual([]);
});

it('names what failed in a browser, and what passed only the second time', () => {
  const spec = (title: string, status: string) => ({ file: 'a.spec.ts', title, tests: [{ status }] });
  const report = {
    suites: [
      { specs: [spec('one', 'expected')], suites: [{ specs: [spec('two', 'flaky'), spec('three', 'unexpected')] }] },
    ],
  };
  expect(notPassed(report)).toEqual(['flaky in a.spec.ts: two', 'failed in a.spec.ts: three']);
});

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const script = (name: string, args: readonly string[] = [], input = '') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('build', name), ...args], {
    ...{ cwd: root, encoding: 'utf8', input },
  });
  return { status, stdout, stderr };
};

it('the tables of the page are those of what was measured', () => {
  expect(script('benchmarks/tables.mjs', ['--check'])).toEqual({ status: 0, stdout: '', stderr: '' });
});

it('GradBench’s tool answers', () => {
  const start = { id: 1, kind: 'start', eval: 'gmm' };
  const { status, stdout, stderr } = script('benchmarks/gradbench.mjs', [], `${JSON.stringify(start)}\n`);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ id: 1, tool: 'cotangent' });
});

it('GradBench’s table wants a checkout', () => {
  const { status, stderr } = script('benchmarks/gradbench-table.mjs');
  expect(status).toBe(1);
  expect(stderr).toContain('GRADBENCH names no checkout of GradBench.');
});

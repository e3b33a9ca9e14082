import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { collectedLogs, logsVariable, note } from '../../../src-main/faults/log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-logs-'));
  vi.stubEnv(logsVariable, join(folder, 'logs'));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it('notes what went wrong, line by line, and hands it all over', () => {
  note('main', 'the GPU ended');
  note('main', new Error('two\nlines'));
  note('engine', 'out of memory');
  const text = collectedLogs({ Cotangent: '1.2.3' });
  expect(text).toMatch(/^Cotangent: 1\.2\.3\n\n== main\.log\n\S+Z the GPU ended\n\S+Z Error: two\n {2}lines\n/);
  expect(text).toMatch(/\n== engine\.log\n\S+Z out of memory\n$/);
});

it('keeps one old log beside the new one', () => {
  note('main', 'first');
  const file = join(folder, 'logs', 'main.log');
  writeFileSync(file, 'x'.repeat(600_000));
  note('main', 'after');
  expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['main.log', 'main.old.log']);
  expect(readFileSync(file, 'utf8')).toMatch(/^\S+Z after\n$/);
  expect(collectedLogs({}).indexOf('main.old.log')).toBeLessThan(collectedLogs({}).indexOf('== main.log'));
});

it('is no further fault where nothing can be written, and nothing at all on the command line', () => {
  writeFileSync(join(folder, 'file'), '');
  vi.stubEnv(logsVariable, join(folder, 'file', 'logs'));
  expect(() => note('main', 'lost')).not.toThrow();
  vi.stubEnv(logsVariable, undefined);
  note('main', 'lost');
  expect(collectedLogs({})).toBe('');
});

/**
 * NIST's problems from far: 64 starts from three and from ten times start 1, and single fits from three times both starts. A part
 * of them is fitted here; all of them, with a line for each, by
 *
 *   NIST=FILE npx vitest run test/nist/far.test.ts
 *
 * `docs/fitting.md` has what was counted.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../engine/5-runtime/device.ts';
import { fitFromStarts } from '../../engine/6-fit/multistart.ts';
import { nistFrom } from '../classic/problems.ts';
import { classicProblem } from '../support/fits/classic.ts';

const file = process.env['NIST'];
const seed = Number(process.env['FIRST'] ?? 0);
if (file !== undefined) writeFileSync(file, '');

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

/** Of 27 problems, and of 27 from both starts; a part: which problems, all of which reach the certified sum of squares. */
const counted = [
  { times: 3, of: [1], starts: 64, least: 27, part: ['MGH17', 'Eckerle4', 'Nelson'] },
  { times: 10, of: [1], starts: 64, least: 24, part: ['MGH09', 'BoxBOD'] },
  { times: 3, of: [1, 2], starts: 1, least: 52, part: ['Thurber', 'Rat43', 'Eckerle4', 'Misra1a'] },
] as const;

it.each(counted)(
  'from $times times starts $of, $starts at a time',
  async ({ times, of, starts, least, part }) => {
    const wrong: string[] = [];
    let [reached, all] = [0, 0];
    for (const start of of)
      for (const nist of nistFrom(times, start)) {
        const { name } = nist;
        if (file === undefined && !part.some((each) => name.startsWith(`${each} `))) continue;
        const before = performance.now();
        const { status, reason, objective } = await fitFromStarts(classicProblem(nist), device, { starts, seed });
        const isReached = status === 'converged' && Math.abs(objective - nist.least) <= 1e-6 * nist.least + 1e-20;
        all++;
        if (isReached) reached++;
        else wrong.push(`${name}: ${status} at ${objective}, certified ${nist.least}`);
        const milliseconds = Math.round(performance.now() - before);
        const end = { name, starts, seed, isReached, status, objective, certified: nist.least, milliseconds, reason };
        if (file !== undefined) appendFileSync(file, `${JSON.stringify(end)}\n`);
      }
    if (file === undefined) expect(wrong).toEqual([]);
    else
      console.log(
        `NIST | ${times} times starts ${of.join(', ')} | ${starts} | ${reached} of ${all} | ${wrong.join('; ')}`,
      );
    expect(reached, wrong.join('; ')).toBeGreaterThanOrEqual(file === undefined ? part.length * of.length : least);
  },
  1e9,
);

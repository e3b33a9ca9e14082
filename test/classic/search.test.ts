/**
 * A search for false *converged*: every problem of this folder by every method, as a user's fit goes and as the descent alone
 * does. The ends are written for a judge that shares nothing with the engine:
 *
 *   SEARCH=FOLDER npx vitest run test/classic/search.test.ts && python3 test/classic/judge.py FOLDER --scipy
 *
 * `PROBLEMS=strangers` takes those of strangers.ts, `PROBLEMS=newcomers` those of newcomers.ts, `METHODS=newton-cg` these methods alone.
 * `docs/fitting.md` has the table that it prints.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/5-runtime/cpu/cpu-device.ts';
import { fit } from '../../engine/6-fit/fit.ts';
import { fitMethods, type FitMethod } from '../../engine/6-fit/methods.ts';
import type { FitResult } from '../../engine/6-fit/report/report.ts';
import { fitModel } from '../../src-main/compute/fit/fit.ts';
import { classicProblem } from '../support/fits/classic.ts';
import { model } from '../support/documents.ts';
import { freshProblems, yearsModels } from './fresh.ts';
import { classicProblems, nistFrom } from './problems.ts';
import { newcomers } from './newcomers.ts';
import { strangers } from './strangers.ts';

const folder = process.env['SEARCH'];
const only = process.env['METHODS']?.split(',');
const methods = (Object.keys(fitMethods) as FitMethod[]).filter((method) => !only || only.includes(method));
const device = cpuDevice();
afterAll(() => device.close());

const usual = [...classicProblems, ...nistFrom(3), ...nistFrom(10), ...freshProblems];
const squares = { strangers, newcomers, usual }[process.env['PROBLEMS'] ?? 'usual'] ?? [];
const regressions = squares === usual ? yearsModels : [];

type Found = Pick<FitResult, 'status' | 'reason' | 'objective'> & {
  readonly decrement?: number | undefined;
  readonly estimates: readonly { readonly value: number }[];
};
const numeral = (value: number): string => (Number.isFinite(value) ? value.toString() : 'nan');

function keep(name: string, method: FitMethod, way: string, found: Found): void {
  const { status, reason, objective, decrement, estimates } = found;
  const point = estimates.map(({ value }) => numeral(value));
  const end = {
    name,
    method,
    way,
    status,
    reason,
    objective: numeral(objective),
    decrement: numeral(decrement ?? NaN),
    point,
  };
  appendFileSync(join(folder!, 'ends.jsonl'), `${JSON.stringify(end)}\n`);
}

if (folder === undefined) it.skip('is run by SEARCH=FOLDER');
else {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'problems.json'), JSON.stringify([...squares, ...regressions]));
  writeFileSync(join(folder, 'ends.jsonl'), '');
  const forever = 1e9;
  it.each(methods)(
    '%s',
    async (method) => {
      const looks = method === 'levenberg-marquardt' || method === 'newton-cg';
      for (const classic of squares)
        for (const elsewhere of looks ? [false, true] : [true]) {
          const found = await fit(classicProblem(classic), device, { method, elsewhere });
          keep(classic.name, method, elsewhere ? 'fit' : 'descent', found);
        }
      if (method === 'levenberg-marquardt') return;
      for (const { name, columns, blocks } of regressions) {
        const column = (id: string) => ({ id, kind: 'column', table: 'T', column: id });
        const drawn = await model([...Object.keys(columns).map(column), ...blocks], {
          tables: { T: { columns } },
          objective: 'loss',
        });
        keep(name, method, 'fit', await fitModel(drawn, device, { parameters: {}, method }));
      }
      expect(squares.length).toBeGreaterThan(0);
    },
    forever,
  );
}

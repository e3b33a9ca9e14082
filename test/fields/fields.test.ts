/**
 * Tables that are in no catalogue, each against the model of its field as R fits it (fields.R, fields.json): what is
 * suggested, or one of the four beside it, fits as well. A part of them here; all of them, with a line for each, by
 *
 *   FIELDS=FILE npx vitest run test/fields
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { findRoles } from '../../models/experiment/find-roles.ts';
import { readingsOf } from '../../models/experiment/readings.ts';
import { beginImport } from '../../models/tables/import/import.ts';
import { contest } from '../../src-main/compute/contest.ts';

interface Field {
  readonly table: string;
  /** In R's words. */
  readonly model: string;
  readonly parameters: number;
  readonly aicc: number;
  readonly source: string;
}

/** Less of AICc tells no two models apart. */
const AS_WELL = 2;

const fields = JSON.parse(readFileSync(join(import.meta.dirname, 'fields.json'), 'utf8')) as readonly Field[];
const file = process.env['FIELDS'];
if (file !== undefined) writeFileSync(file, '');

/** Those that take little time, of every kind of noise. */
const part: readonly string[] = [
  ...['BOD', 'cars', 'pressure', 'eruptions', 'lung', 'calcium', 'PlantGrowth', 'InsectSprays'],
  ...['calibration-counts', 'arrhenius', 'freundlich', 'mortality'],
];

const device = cpuDevice();
afterAll(() => device.close());

async function suggested(table: string) {
  const name = `${table}.csv`;
  const { columns, rows } = await beginImport(name, readFileSync(join(import.meta.dirname, 'tables', name))).read({});
  return contest(readingsOf(columns, rows, findRoles(columns, rows)), device, { name: table });
}

it.each(fields.filter(({ table }) => file !== undefined || part.includes(table)))(
  '$table: as well as $model',
  async ({ table, model, aicc }) => {
    const began = performance.now();
    const found = await suggested(table);
    const best = Math.min(...found.map((each) => each.aicc));
    if (file !== undefined) {
      const shown = found.map(({ candidate: { shape, noise }, aicc: own, own: { size } }) =>
        [shape.name, noise === 'constant' ? '' : noise, size > 0 ? `${size} own` : '', own.toFixed(1)]
          .filter(Boolean)
          .join(' '),
      );
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      appendFileSync(
        file,
        `${best <= aicc + AS_WELL ? 'ok ' : 'NO '} ${table} ${seconds} s; R ${aicc} ${model}; ${shown.join(', ')}\n`,
      );
    }
    expect(best).toBeLessThanOrEqual(aicc + AS_WELL);
  },
);

/** Futhark as we write it, held to a reader of our own: there is no compiler at hand. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizeValue } from '../../../engine/0-ir/sizes.ts';
import { futharkHelpers } from '../../../src-main/export/futhark/scalar.ts';
import { argsort } from '../../../src-main/export/futhark/sort-permutation.ts';
import { writeFuthark } from '../../../src-main/export/futhark/write.ts';
import { futharkWords } from '../../../src-main/export/futhark.ts';
import { Identifiers } from '../../../src-main/export/identifiers.ts';
import { Refused } from '../../../src-main/refused.ts';
import { cotangent } from '../../support/command-line.ts';
import { readFuthark } from '../../support/futhark-reader.ts';
import { randomProgram } from '../../support/random/programs.ts';

describe('models as Futhark', () => {
  const catalogue = join('models', 'catalogue');
  it.each(readdirSync(catalogue).filter((name) => name.endsWith('.cot.json')))('%s', async (name) => {
    const { status, stdout, stderr } = await cotangent('export', join(catalogue, name), '--to', 'futhark');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const entries = new Map(readFuthark(stdout).map((entry) => [entry.name, entry] as const));
    expect(entries.get('objective')?.result).toBe('f64');
    const parameters = entries.get('gradient')?.parameters ?? [];
    expect(entries.get('gradient')?.result).toBe(
      parameters.length === 1 ? parameters[0] : `(${parameters.join(', ')})`,
    );
    expect(parameters.every((type) => /^(\[\d+\])*f64$/.test(type))).toBe(true);
  });
});

describe('programs as Futhark', () => {
  it('use only names that are bound', () => {
    fc.assert(
      fc.property(randomProgram(), ({ program, sizes }) => {
        const names = new Identifiers([...futharkWords, ...Object.keys(futharkHelpers)]);
        const known = new Map(program.parameters.map(({ name, value }) => [value.id, names.take(name)] as const));
        const signature = [...known.values()].map((name) => `(${name}: f64)`).join(' ');
        const body = { names, known, lines: [] as string[], size: (size: number | string) => sizeValue(size, sizes) };
        try {
          writeFuthark(program, body, (_, origin) => origin ?? 'value');
        } catch (error) {
          // Operations that Futhark lacks are refused by name.
          if (error instanceof Refused) return;
          throw error;
        }
        const results = program.results.map(({ value }) => known.get(value.id)!);
        const model = `def model ${signature} =\n${body.lines.join('\n')}\nin (${results.join(', ')})`;
        readFuthark([...Object.values(futharkHelpers), argsort, model].join('\n'));
      }),
      { numRuns: 200 },
    );
  });

  it('would be found out if they did not', () => {
    expect(() => readFuthark('def model = let a = 1 in b')).toThrow('b is not bound');
    expect(() => readFuthark('def model = (1')).toThrow('not closed');
  });
});

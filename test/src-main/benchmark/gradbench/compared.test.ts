import { expect, it } from 'vitest';
import { compared, type Compared } from '../../../../src-main/benchmark/gradbench/compared.ts';

const row = (name: string, oursMs: number, manualMs: number | null, codipackMs: number | null): Compared => {
  const [module, of] = name.split(' ') as [string, string];
  return {
    ...{ row: name, module, function: of, size: 'n = 1', device: 'cpu', precision: 'f64', runs: 5 },
    ...{ oursMs, manualMs, codipackMs, cppadMs: null },
  };
};

it('says ours over theirs, with no digits that a ratio has not, and nothing where there is nothing', () => {
  const cells = compared.columns.map(({ cell }) => cell(row('ode gradient', 2, 0.001, 1.25)));
  expect(cells).toEqual(['`ode`', '`gradient`', 'n = 1', '2.00 ms', '0.00100 ms', '1.25 ms', '', '2000', '1.6']);
  expect(compared.columns.at(-2)?.cell(row('saddle ff', 2, null, null))).toBe('');
});

it('takes the mean of what is computed alike, derivatives apart from primals', () => {
  const rows = [
    ...[row('ba jacobian', 2, 1, 4), row('lse gradient', 8, 1, 16), row('ba objective', 3, 1, 3)],
    ...[row('ode gradient', 1000, 1, 1), row('det primal', 1, 1000, 1000), row('saddle ff', 1, null, null)],
  ];
  expect(compared.summary!(rows)).toBe(
    'Ours takes 4.0 times as long as the C++ by hand in the geometric mean of 2 derivatives and 3.0 times in that of 1 primals; ' +
      '0.50 times as long as CoDiPack in that of 2 derivatives. `det` and the gradient of `ode` are left out: see below.',
  );
});

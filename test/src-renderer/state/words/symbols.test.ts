/** How names of parameters are typeset: Greek, letters with subscripts, and words. */
import { expect, it } from 'vitest';
import { isWord, symbolTex } from '../../../../src-renderer/state/words/symbols.ts';

it.each<readonly [name: string, tex: string]>([
  ...['alpha', 'beta', 'gamma', 'eta', 'rho', 'phi', 'chi', 'psi', 'tau', 'mu', 'nu', 'xi', 'pi', 'Xi', 'omega'].map(
    (name) => [name, `\\${name}`] as const,
  ),
  ...['top', 'bg', 'fit', 'CL', 'dt', 'amp', 'off', 'EC', 'start', 'key'].map(
    (name) => [name, `\\mathrm{${name}}`] as const,
  ),
  ['ke', 'k_{e}'],
  ['ka', 'k_{a}'],
  ['kel', 'k_{\\mathrm{el}}'],
  ['kcat', 'k_{\\mathrm{cat}}'],
  ['Km', 'K_{m}'],
  ['Vmax', 'V_{\\mathrm{max}}'],
  ['b1', 'b_{1}'],
  ['tau1', '\\tau_{1}'],
  ['tau_rise', '\\tau_{\\mathrm{rise}}'],
  ['EC50', '\\mathrm{EC}_{50}'],
  ['k', 'k'],
])('%s is %s', (name, tex) => {
  expect(symbolTex(name, true)).toBe(tex);
  expect(isWord(name)).toBe(tex.startsWith('\\mathrm'));
});

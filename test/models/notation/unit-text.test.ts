import { expect, it } from 'vitest';
import { unitText } from '../../../models/notation/unit-text.ts';
import { parseUnit, ratio } from '../../../models/units/unit.ts';

it.each([
  ['g/m^2', 'g/m²'],
  ['g/m**2', 'g/m²'],
  ['g/m²', 'g/m²'],
  ['m s^-2', 'm s⁻²'],
  ['µmol min^(-1)', 'µmol min⁻¹'],
  ['m^12', 'm¹²'],
  ['nM/√s', 'nM/√s'],
  ['Hz^0.5', 'Hz^0.5'],
  ['Hz^(1/2)', 'Hz^(1/2)'],
  ['mg/L', 'mg/L'],
  ['CO2', 'CO2'],
  ['', ''],
])('%s is read as %s', (written, read) => {
  expect(unitText(written)).toBe(read);
  const [before, after] = [parseUnit(written), parseUnit(read)];
  if (before && after) expect(ratio(before, after)).toBeCloseTo(1, 12);
  else expect(after).toBe(before);
});

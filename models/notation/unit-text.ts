/** Units as they are read, however they were written: `g/m^2`, `g/m**2` and `g/m²` are one unit, and look it. */

const raised: Readonly<Record<string, string>> = Object.fromEntries(
  [...'-0123456789'].map((digit, i) => [digit, [...'⁻⁰¹²³⁴⁵⁶⁷⁸⁹'][i]!]),
);

/** Whole powers stand raised; broken ones, and what is no power, stay as they were written. */
export function unitText(unit: string): string {
  return unit.replace(
    /(?<=[\p{L}%°])(?:\^|\*\*)(?:\((-?\d+)\)|(-?\d+)(?![\d./]))/gu,
    (_, inBrackets: string | undefined, bare: string | undefined) =>
      [...(inBrackets ?? bare ?? '')].map((digit) => raised[digit]).join(''),
  );
}

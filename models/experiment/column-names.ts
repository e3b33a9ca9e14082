/** What the names of columns side by side have in common: a stem, and what tells readings of it apart. */

/** `s1`, `s2`; `OD (2)`; `Messung_3`; `A`, `B`: the same stem and one number or letter. */
export function stemOf(name: string): string | undefined {
  return stem(name)?.toLowerCase();
}

function stem(name: string): string | undefined {
  const numbered = /^(.*?)[\s._\-#(]*(?<!\d)(?:\d{1,2}|[ivx]{1,4})\)?$/iu.exec(name)?.[1];
  if (numbered !== undefined) return numbered.replace(/(?:^|[\s._-]+)(?:rep(?:licate)?|replikat|wdh|nr)\.?$/iu, '');
  return /^(.*[\s._-])?[A-H]$/u.exec(name) ? name.slice(0, -1) : undefined;
}

/** `y`, `y 2`, `y 3`, as columns of one name are called (tables/import/source.ts). */
export const repeatedOf = (name: string): string => name.replace(/ \d{1,2}$/u, '');

/** Each without what counts its readings: `WT`, `WT 2`, `mutant r1`, `mutant r2` are `WT`, `WT`, `mutant`, `mutant`. */
export function curveNames(names: readonly string[]): string[] {
  return names.map((name) => {
    const repeated = repeatedOf(name);
    if (names.includes(repeated) && names.includes(`${repeated} 2`)) return repeated;
    // `mutant r1`: the letter stands for readings.
    const bare = stem(name)?.replace(/(?<=\S)[\s._\-#(]+(?:r|n)?[\s._\-#(]*$/iu, '');
    return bare ? bare.replace(/[\s._\-#(]+$/u, '') : name;
  });
}

/** Numbers that stand for what is missing, as instruments and stations write them: −999, −9999. */
const sentinels: ReadonlySet<number> = new Set([-999, -9999, -99999]);
/** What was read lies above it, or the sentinel may be a reading. */
const far = -99;
/** One number alone is far from anything. */
const leastOthers = 2;

/** The sentinel among numbers of which all others lie far from it; NaN are missing anyway. */
export function sentinelIn(values: Float64Array): number | undefined {
  const least = values.reduce((least, value) => (value < least ? value : least), Infinity);
  if (!sentinels.has(least)) return undefined;
  const others = values.reduce((count, value) => count + Number(value > far), 0);
  return others >= leastOthers && values.every((value) => value === least || !(value <= far)) ? least : undefined;
}

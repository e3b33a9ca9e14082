/** Dates whose month is a word, English or German, as ISO 8601 has them: `28-Mar-2024`, `3. Mai 2024 10:30`, `Mar 28, 2024`, `Mar-24`. */

/** By what they begin with: four letters tell all of them apart, three but for März and Mai. */
const months: readonly RegExp[] = [
  /^(?:jan(?:uary|uar)?|jän(?:ner)?)$/i,
  /^feb(?:ruary|ruar)?$/i,
  /^(?:mar(?:ch)?|mär(?:z)?|mrz)$/i,
  /^apr(?:il)?$/i,
  /^ma[yi]$/i,
  /^jun[ei]?$/i,
  /^jul[yi]?$/i,
  /^aug(?:ust)?$/i,
  /^sept?(?:ember)?$/i,
  /^o[ck]t(?:ober)?$/i,
  /^nov(?:ember)?$/i,
  /^de[cz](?:ember)?$/i,
];

const time = String.raw`(?:[T,\s]\s*(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?)?`;
const orders: readonly RegExp[] = [
  String.raw`(?<day>\d{1,2})\.?[\s/-]*(?<month>\p{L}{3,9})\.?[\s,/-]*(?<year>\d{4}|\d\d)`,
  String.raw`(?<month>\p{L}{3,9})\.?\s+(?<day>\d{1,2}),?\s+(?<year>\d{4})`,
  String.raw`(?<year>\d{4})[\s/-](?<month>\p{L}{3,9})[\s/-](?<day>\d{1,2})`,
  String.raw`(?<month>\p{L}{3,9})\.?[\s/-]*(?<year>\d{4})`,
  String.raw`(?<month>\p{L}{3,9})\.?[-'’](?<year>\d\d)`,
  String.raw`(?<year>\d{4})[\s/-](?<month>\p{L}{3,9})`,
].map((order) => new RegExp(`^${order}${time}$`, 'iu'));

/** Undefined of what is none. A month without a day is its first; two digits of a year are those of 1969 to 2068. */
export function monthDate(cell: string): string | undefined {
  const text = cell.trim();
  const groups = orders.map((order) => order.exec(text)?.groups).find((found) => found !== undefined);
  if (!groups) return undefined;
  const { day = '1', month = '', year = '', hour, minute = '00', second = '00' } = groups;
  const at = months.findIndex((name) => name.test(month)) + 1;
  const full = year.length === 2 ? Number(year) + (Number(year) < 69 ? 2000 : 1900) : Number(year);
  if (at === 0 || Number(day) < 1 || Number(day) > new Date(Date.UTC(full, at, 0)).getUTCDate()) return undefined;
  const two = (part: string | number): string => String(part).padStart(2, '0');
  const date = `${full}-${two(at)}-${two(day)}`;
  return hour === undefined ? date : `${date}T${two(hour)}:${minute}:${second}`;
}

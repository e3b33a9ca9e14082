/** Names with a fixed value, and `index`, which has one for each element. */
export const formulaConstants = {
  pi: { value: Math.PI, summary: '3.14159…, the circumference of a circle of diameter 1' },
  e: { value: Math.E, summary: '2.71828…, the base of the natural logarithm' },
  inf: { value: Infinity, summary: 'infinity' },
  nan: { value: NaN, summary: 'not a number: a missing or undefined value' },
} as const;

export const indexSummary = "the element's position along axis 0, an int from 0; the step in a recurrence";

export function constantValue(name: string): number | undefined {
  return Object.hasOwn(formulaConstants, name)
    ? formulaConstants[name as keyof typeof formulaConstants].value
    : undefined;
}

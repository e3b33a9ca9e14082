/** The suites' names, without what they run. */
export const suiteNames = ['paper', 'primitives'] as const;
export type SuiteName = (typeof suiteNames)[number];

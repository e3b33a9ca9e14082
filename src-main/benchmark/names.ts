/** The suites' names, without what they run. */
export const suiteNames = [
  'paper',
  'primitives',
  'fits',
  'starts',
  'stop',
  'edits',
  'sliders',
  'pytorch',
  'rules',
] as const;
export type SuiteName = (typeof suiteNames)[number];

/** What stopped a solver before its end; 0 where nothing did. Those of `solve` are `solveEnds` above `unfinished`. */
export const solverFaults = {
  none: 0,
  slots: 1,
  step: 2,
  waiting: 3,
  unfinished: 4,
  stuck: 6,
  singular: 7,
  unsteady: 8,
  lag: 9,
  unresolved: 10,
  endless: 11,
  /** As `slots` and `step`, on the way to a steady state. */
  restless: 12,
  boundless: 13,
  /** An event that is triggered with a delay below 0, or with none that is a number. */
  delay: 14,
  /** A root at which an unknown has no derivative; its value is what it is. */
  turning: 15,
} as const;

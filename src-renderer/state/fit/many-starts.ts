/** How many points *Try 64 starts* begins at. */
export const manyStarts = 64;

/** Name of a WGSL function → its text. What it calls is read from the text. */
export type Definitions = Readonly<Record<string, string>>;

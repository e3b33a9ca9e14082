/** The generated files of models/formula, by name. */
export function generateParser(): Promise<Record<string, string>>;

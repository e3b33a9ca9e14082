/** A wire's end: `"id"`, `"id.output"` where a block has several outputs, or `"id.sd.effect"`, a parameter of a block's distribution. */
export interface Reference {
  readonly block: string;
  readonly output: string | undefined;
}

const pattern = /^([A-Za-z_][A-Za-z0-9_]*)(?:\.((?:sd\.)?[A-Za-z_][A-Za-z0-9_]*|\d+))?$/;

export function isReference(text: string): boolean {
  return pattern.test(text);
}

/** Undefined where the text is no reference. */
export function parseReference(text: string): Reference | undefined {
  const found = pattern.exec(text);
  return found ? { block: found[1]!, output: found[2] } : undefined;
}

export function printReference(block: string, output: string): string {
  return output === '' ? block : `${block}.${output}`;
}

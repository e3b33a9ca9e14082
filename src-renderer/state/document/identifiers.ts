/** Names in formulas, found without parsing: a formula that is being typed need not be one yet. */
const identifier = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_0-9]+)*/g;
/** Digits before an `e` belong to a number: the `e` of `1e-3` is no name. */
const numberBefore = /[\d.]$/;

export function renameInFormula(formula: string, from: string, to: string): string {
  return formula.replace(identifier, (name, offset: number) =>
    name === from && !numberBefore.test(formula.slice(0, offset)) ? to : name,
  );
}

export function namesInFormula(formula: string): Set<string> {
  const names = new Set<string>();
  for (const match of formula.matchAll(identifier)) {
    if (!numberBefore.test(formula.slice(0, match.index))) names.add(match[0]);
  }
  return names;
}

export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

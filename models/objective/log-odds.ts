/**
 * A probability that the program makes of its log-odds z, p = 1/(1 + e⁻ᶻ), is 0 or 1 to rounding long before log p and
 * log(1 − p) are anything but numbers: a start far off, as a + b·year with b = 0.05 is, has a value by z, and none by p.
 */
import type { ProgramBuilder, ScalarFunction, ScalarOperand, Value } from '../../engine/index.ts';

type Statements = ScalarFunction['body']['statements'];

/** z, where the last that is done for p is `logistic(z)` or `1/(1 + exp(-z))`. */
export function logOddsOf(b: ProgramBuilder, probability: Value): Value | undefined {
  const made = b.definition(probability);
  if (made?.kind !== 'map') return undefined;
  const { parameters, body } = made.function;
  const [result] = body.results;
  if (body.results.length !== 1 || result === undefined) return undefined;
  const found = inverted(body.statements, result);
  if (!found) return undefined;
  const odds: ScalarFunction = { parameters, body: { ...body, results: [found.operand] } };
  const [z] = b.map(odds, made.inputs, made.shape);
  return z && (found.negative ? b.apply('neg', z) : z);
}

/** The operand that is z, or −z. */
function inverted(
  statements: Statements,
  result: ScalarOperand,
): { readonly operand: ScalarOperand; readonly negative: boolean } | undefined {
  const operandsOf = (operation: string, of: ScalarOperand | undefined): readonly ScalarOperand[] => {
    const found = statements.find(
      (each) => each.kind === 'apply' && of?.kind === 'variable' && each.result.id === of.id,
    );
    return found?.kind === 'apply' && found.operation === operation ? found.operands : [];
  };
  const [direct] = operandsOf('logistic', result);
  if (direct) return { operand: direct, negative: false };
  const [over, below] = operandsOf('div', result);
  const sum = operandsOf('add', below);
  const power = sum.find((term) => !isOne(term));
  const [exponent] = operandsOf('exp', power);
  return over && isOne(over) && sum.some(isOne) && exponent ? { operand: exponent, negative: true } : undefined;
}

const isOne = (operand: ScalarOperand): boolean => operand.kind === 'literal' && operand.value === 1;

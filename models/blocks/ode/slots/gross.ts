/**
 * How large what a scalar function's results are made of is, to whose rounding they are known: of y = f(a, b, …)
 *
 *   gross y = max(|y|, |∂f/∂a|·gross a + |∂f/∂b|·gross b + …)
 *
 * so that a difference of what is nearly the same is no better known than that. A multiple of 2⁻⁵² of it is a bound of the
 * rounding (running error analysis: Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.3).
 */
import {
  jvpFunction,
  scalarFunction,
  type ScalarApply,
  type ScalarBlock,
  type ScalarBuilder,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../../engine/index.ts';

/** (x…, gross of each that is real…) ↦ gross of each result, all real. */
export function grossOf(fn: ScalarFunction): ScalarFunction {
  const types = fn.parameters.map(({ type }) => type);
  return scalarFunction([...types, ...types.filter((type) => type === 'real')], (s, ...operands) => {
    const known = new Map<number, Known>();
    let next = types.length;
    fn.parameters.forEach(({ id }, i) => {
      const value = operands[i] as ScalarOperand;
      known.set(id, { value, gross: types[i] === 'real' ? operands[next++] : undefined });
    });
    write(s, fn.body, known);
    return fn.body.results.map((each) => grossIn(s, known, each));
  });
}

interface Known {
  readonly value: ScalarOperand;
  /** Undefined of what is not real, and of what is as large as it is. */
  readonly gross: ScalarOperand | undefined;
}

const valueIn = (known: ReadonlyMap<number, Known>, operand: ScalarOperand): ScalarOperand =>
  operand.kind === 'variable' ? known.get(operand.id)!.value : operand;

function grossIn(s: ScalarBuilder, known: ReadonlyMap<number, Known>, operand: ScalarOperand): ScalarOperand {
  const found = operand.kind === 'variable' ? known.get(operand.id)?.gross : undefined;
  return found ?? s.apply('abs', valueIn(known, operand));
}

function write(s: ScalarBuilder, block: ScalarBlock, known: Map<number, Known>): void {
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const value = s.apply(statement.operation, ...statement.operands.map((each) => valueIn(known, each)));
      known.set(statement.result.id, { value, gross: grossOfApply(s, statement, value, known) });
      continue;
    }
    const { condition, then, else: otherwise, results } = statement;
    const side = (branch: ScalarBlock) => (): ScalarOperand[] => {
      write(s, branch, known);
      return branch.results.flatMap((each) => [
        valueIn(known, each),
        ...(each.type === 'real' ? [grossIn(s, known, each)] : []),
      ]);
    };
    const found = [...s.branch(valueIn(known, condition), side(then), side(otherwise))];
    for (const { id, type } of results)
      known.set(id, {
        value: found.shift() as ScalarOperand,
        gross: type === 'real' ? found.shift() : undefined,
      });
  }
}

function grossOfApply(
  s: ScalarBuilder,
  { operation, operands, result }: ScalarApply,
  value: ScalarOperand,
  known: ReadonlyMap<number, Known>,
): ScalarOperand | undefined {
  if (result.type !== 'real' || operands.some(({ type }) => type !== 'real')) return undefined;
  const values = operands.map((each) => valueIn(known, each));
  if (operation === 'detach') return grossIn(s, known, operands[0]!);
  const alone = scalarFunction(
    operands.map(() => 'real'),
    (inner, ...given) => [inner.apply(operation, ...given)],
  );
  const parts = operands.flatMap((operand, i) => {
    const { function: pushed, active } = jvpFunction(
      alone,
      operands.map((_, j) => j === i),
    );
    return active[0] ? [s.apply('abs', s.inline(pushed, [...values, grossIn(s, known, operand)])[1]!)] : [];
  });
  const [first, ...rest] = parts;
  if (!first) return undefined;
  const size = s.apply('abs', value);
  return s.apply(
    'max',
    size,
    rest.reduce((sum, each) => s.apply('add', sum, each), first),
  );
}

/**
 * Forward mode of a scalar function: y = f(x)  ⇒  (y, ẏ) = (f(x), f′(x)·ẋ).
 */
import { ById } from '../../0-ir/by-id.ts';
import { realLiteral, type ScalarBlock, type ScalarFunction, type ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import { linearMaps, resolve, type Environment } from './function.ts';

export interface JvpFunction {
  /** (x…, ẋ of the active parameters…) ↦ (y…, ẏ of the active results…). */
  readonly function: ScalarFunction;
  /** Which results depend on an active parameter. */
  readonly active: readonly boolean[];
}

/** Tangents by variable; a variable without one has the tangent zero. */
type Tangents = Map<number, ScalarOperand>;

/** `active`: which parameters carry a tangent. Only real ones may. */
export function jvpFunction(fn: ScalarFunction, active: readonly boolean[]): JvpFunction {
  let activeResults: boolean[] = [];
  const types = fn.parameters.map((parameter) => parameter.type);
  const tangentTypes = types.filter((_, i) => active[i]);
  const result = scalarFunction([...types, ...tangentTypes], (b, ...operands) => {
    const environment: Environment = new ById();
    const tangents: Tangents = new Map();
    let next = types.length;
    fn.parameters.forEach((parameter, i) => {
      environment.set(parameter.id, operands[i] as ScalarOperand);
      if (active[i]) tangents.set(parameter.id, operands[next++] as ScalarOperand);
    });
    push(b, fn.body, environment, tangents);
    const moving = fn.body.results.map((operand) => tangentOf(tangents, operand));
    activeResults = moving.map((tangent) => tangent !== undefined);
    return [
      ...fn.body.results.map((operand) => resolve(environment, operand)),
      ...moving.filter((tangent) => tangent !== undefined),
    ];
  });
  return { function: result, active: activeResults };
}

function tangentOf(tangents: Tangents, operand: ScalarOperand): ScalarOperand | undefined {
  return operand.kind === 'variable' ? tangents.get(operand.id) : undefined;
}

function push(b: ScalarBuilder, block: ScalarBlock, environment: Environment, tangents: Tangents): void {
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const operands = statement.operands.map((operand) => resolve(environment, operand));
      environment.set(statement.result.id, b.apply(statement.operation, ...operands));
      if (!statement.operands.some((operand) => tangentOf(tangents, operand))) continue;
      const maps = linearMaps(b, statement, environment);
      let total: ScalarOperand | undefined;
      statement.operands.forEach((operand, i) => {
        const tangent = tangentOf(tangents, operand);
        const term = tangent && maps[i]?.(tangent);
        if (term) total = total ? b.apply('add', total, term) : term;
      });
      if (total) tangents.set(statement.result.id, total);
    } else {
      pushIf(b, statement, environment, tangents);
    }
  }
}

function pushIf(
  b: ScalarBuilder,
  statement: Extract<ScalarBlock['statements'][number], { kind: 'if' }>,
  environment: Environment,
  tangents: Tangents,
): void {
  const run = (block: ScalarBlock) => {
    let values: ScalarOperand[] = [];
    const written = b.block(() => {
      push(b, block, environment, tangents);
      values = block.results.map((result) => resolve(environment, result));
      return [];
    });
    return { written, values, moving: block.results.map((result) => tangentOf(tangents, result)) };
  };
  // Each branch is written once, however deep the nesting; which results move is known after both.
  const [then, otherwise] = [run(statement.then), run(statement.else)];
  const active = statement.results.map((_, i) => Boolean(then.moving[i]) || Boolean(otherwise.moving[i]));
  const side = ({ written, values, moving }: typeof then): ScalarBlock => ({
    ...written,
    results: [...values, ...moving.filter((_, i) => active[i]).map((tangent) => tangent ?? realLiteral(0))],
  });
  const results = b.choose(resolve(environment, statement.condition), side(then), side(otherwise));
  let next = statement.results.length;
  statement.results.forEach((result, i) => {
    environment.set(result.id, results[i] as ScalarOperand);
    if (active[i]) tangents.set(result.id, results[next++] as ScalarOperand);
  });
}

/**
 * Forward mode of a scalar function: y = f(x)  ⇒  (y, ẏ) = (f(x), f′(x)·ẋ).
 */
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
    const environment: Environment = new Map();
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
  // Which results move is known only after both branches have been walked: a dry run on a builder thrown away.
  const moves = (block: ScalarBlock): boolean[] => {
    let found: boolean[] = [];
    b.block(() => {
      const inner = new Map(tangents);
      push(b, block, new Map(environment), inner);
      found = block.results.map((result) => tangentOf(inner, result) !== undefined);
      return [];
    });
    return found;
  };
  const then = moves(statement.then);
  const otherwise = moves(statement.else);
  const active = statement.results.map((_, i) => Boolean(then[i]) || Boolean(otherwise[i]));
  const run = (block: ScalarBlock) => (): ScalarOperand[] => {
    const innerEnvironment = new Map(environment);
    const innerTangents = new Map(tangents);
    push(b, block, innerEnvironment, innerTangents);
    return [
      ...block.results.map((result) => resolve(innerEnvironment, result)),
      ...block.results.filter((_, i) => active[i]).map((result) => tangentOf(innerTangents, result) ?? realLiteral(0)),
    ];
  };
  const results = b.branch(resolve(environment, statement.condition), run(statement.then), run(statement.else));
  let next = statement.results.length;
  statement.results.forEach((result, i) => {
    environment.set(result.id, results[i] as ScalarOperand);
    if (active[i]) tangents.set(result.id, results[next++] as ScalarOperand);
  });
}

/**
 * Recurrences that rest: of K·S steps those of a solver between two knots are S slots, of which the last do nothing. A step that
 * leaves every carry as it is has come to rest, and so do all that follow it and take the same, down to the next knot. Here that is
 * proved, and a backend may pass over them.
 *
 * Each input must be the same at all S slots, or count them: then the step may only ask whether it is the first. Outputs must be read
 * at the first of each S alone.
 *
 * Written after `thin-outputs.ts`, which says which outputs are.
 */
import { mapNestedPrograms } from '../0-ir/construct-parts.ts';
import type { Program, RecurrenceConstruct, Statement, Value } from '../0-ir/program.ts';
import { isLiteral, type ScalarBlock, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { sizeMultiply, type Size } from '../0-ir/sizes.ts';
import { definitionsOf, usesOf } from '../0-ir/walk.ts';

type Definitions = ReadonlyMap<number, Statement>;

export function withRests(program: Program): Program {
  const made = definitionsOf(program);
  const uses = usesOf(program);
  return {
    ...program,
    statements: program.statements.map((statement): Statement => {
      const { construct, results } = statement;
      if (construct.kind !== 'recurrence') {
        const nested = mapNestedPrograms(construct, withRests);
        return nested === construct ? statement : { ...statement, construct: nested };
      }
      const read = results.slice(construct.initial.length).map(({ id }) => (uses.get(id) ?? []).length > 0);
      const rests = restsOf(construct, read, made);
      return rests === undefined ? statement : { ...statement, construct: { ...construct, rests } };
    }),
  };
}

/** `read`: whether an output is. */
function restsOf(construct: RecurrenceConstruct, read: readonly boolean[], made: Definitions): Size | undefined {
  const { reverse, step, initial, inputs, every } = construct;
  const courses = inputs.map((input) => courseOf(construct, input, made));
  const [slots, ...others] = new Set(
    courses.flatMap((course) => (course && course.kind !== 'still' ? course.slots : [])),
  );
  if (reverse || slots === undefined || others.length > 0) return undefined;
  if (read.some((isRead, i) => isRead && every?.[i]?.steps !== slots)) return undefined;
  const rests = courses.every((course, i) => {
    const counter = step.parameters[initial.length + i]!.id;
    return course && (course.kind !== 'counted' || asksForFirst(step, counter));
  });
  return rests ? slots : undefined;
}

/** How an input goes along the steps: the same at all, the same at the slots of a knot, or their number. */
type Course = { readonly kind: 'still' } | { readonly kind: 'repeated' | 'counted'; readonly slots: Size };

function courseOf({ shape, axis }: RecurrenceConstruct, input: Value, made: Definitions): Course | undefined {
  const own = axis - (shape.length - input.type.shape.length);
  const length = input.type.shape[own];
  if (length === undefined || length === 1) return { kind: 'still' };
  const reshaped = made.get(input.id)?.construct;
  if (reshaped?.kind !== 'reshape') return undefined;
  const { shape: parts } = reshaped.value.type;
  const [knots, slots] = parts.slice(own);
  if (parts.length !== input.type.shape.length + 1 || knots === undefined || slots === undefined) return undefined;
  const whole = parts.toSpliced(own, 2, sizeMultiply(knots, slots));
  if (whole.some((size, i) => size !== input.type.shape[i])) return undefined;
  const replicated = made.get(reshaped.value.id)?.construct;
  if (replicated?.kind !== 'replicate') return undefined;
  const { value } = replicated;
  const inner = own + 1 - (parts.length - value.type.shape.length);
  if ((value.type.shape[inner] ?? 1) === 1) return { kind: 'repeated', slots };
  return isCount(value, slots, made) ? { kind: 'counted', slots } : undefined;
}

/** Whether it is 0, 1, … along the one axis that it has. */
function isCount({ id, type }: Value, slots: Size, made: Definitions): boolean {
  if (type.shape.filter((size) => size !== 1).some((size, i) => i > 0 || size !== slots)) return false;
  const construct = made.get(id)?.construct;
  if (construct?.kind === 'iota') return true;
  if (construct?.kind === 'reshape') return isCount(construct.value, slots, made);
  if (construct?.kind !== 'map' || construct.inputs.length !== 1) return false;
  const { parameters, body } = construct.function;
  const [only, ...others] = body.statements;
  const isReal =
    only?.kind === 'apply' &&
    others.length === 0 &&
    only.operation === 'real' &&
    isVariable(only.operands[0]!, parameters[0]!.id) &&
    isVariable(body.results[0]!, only.result.id);
  return isReal && isCount(construct.inputs[0]!, slots, made);
}

const isVariable = (operand: ScalarOperand, id: number): boolean => operand.kind === 'variable' && operand.id === id;

/** Whether all that is asked of a variable is if it is 0. */
function asksForFirst({ body }: ScalarFunction, variable: number): boolean {
  const isIt = (operand: ScalarOperand): boolean => isVariable(operand, variable);
  const within = ({ statements, results }: ScalarBlock): boolean =>
    !results.some(isIt) &&
    statements.every((statement) => {
      if (statement.kind === 'if')
        return !isIt(statement.condition) && within(statement.then) && within(statement.else);
      const { operation, operands } = statement;
      return !operands.some(isIt) || (operation === 'eq' && operands.some((operand) => isLiteral(operand, 0)));
    });
  return within(body);
}

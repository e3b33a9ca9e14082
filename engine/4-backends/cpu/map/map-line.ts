/**
 * A function of neighbours on lines, in vectors: what comes before or after the operator of a scan.
 *
 * Which place of an axis is its first or last is asked of every element, and so of a NaN that the guards of a derivative
 * look for. Neither is met in most blocks: an index is compared at a block's ends instead, and of NaN it is hoped that there
 * is none (likely.ts).
 */
import type { ScalarApply, ScalarFunction, ScalarLiteral, ScalarStatement } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { sizeMultiply } from '../../../0-ir/sizes.ts';
import { simplifyFunction } from '../../../1-optimize/scalar/simplify-function.ts';
import { read, writeAt, type Line } from '../walk/access.ts';
import { directionOf, turnedLines, type Written } from '../walk/blocks.ts';
import type { Kernel } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { likelyPart } from '../scalar/likely.ts';
import { vectorReaders } from '../walk/vector-access.ts';
import { emitFunction, functionWork } from '../scalar/scalar-function.ts';
import { writeVectorAt } from '../walk/vector-access.ts';
import { add, apply, get, i32, type Expression } from '../wasm/expression.ts';

/** Results of a round of the inner loop that registers hold; and operations beyond which a vector is a round. */
const HELD = 8;
const LIGHT = 32;

/** outputs[place] = fn(inputs[place]) at so many places; all is read of a place before anything is written. */
export function mapLine(
  k: Kernel,
  fn: ScalarFunction,
  inputs: readonly Line[],
  outputs: readonly Written[],
  length: Expression,
): void {
  const lines = [...inputs, ...outputs.map(({ line }) => line)];
  if (directionOf(lines) === 1) {
    mapForwards(k, fn, inputs, outputs, length);
    return;
  }
  const turned = turnedLines(k, lines, length);
  const written = outputs.map(({ type }, i) => ({ line: turned[inputs.length + i]!, type }));
  mapForwards(k, fn, turned.slice(0, inputs.length), written, length);
}

function mapForwards(
  k: Kernel,
  fn: ScalarFunction,
  inputs: readonly Line[],
  outputs: readonly Written[],
  length: Expression,
): void {
  const { f } = k;
  const count = vectorLanes.count(k);
  const lines = [...inputs, ...outputs.map(({ line }) => line)];
  const readers = vectorReaders(k, inputs);
  for (const { item, along } of lines) f.set(along.at, get(item.at));
  const place = f.keep(i32(0));
  /** `body` at as many places at a time as fit before `end`; it may move on by itself. */
  const until = (end: Expression, places: number, body: (onward: () => void) => void) => {
    const onward = () => {
      for (const { along, stride } of lines) f.increase(along.at, k.size(sizeMultiply(stride, places), along.unit));
      f.increase(place, i32(places));
    };
    const last = get(f.keep(apply('i32.sub', end, i32(places - 1))));
    f.block((leave) => {
      f.loop((repeat) => {
        f.branchIf(leave, apply('i32.ge_s', get(place), last));
        body(onward);
        f.branch(repeat);
      });
    });
  };
  const valuesAt = (ahead: number, of: ScalarFunction) =>
    emitFunction(
      k,
      of,
      readers.map((reader) => reader(ahead)),
      vectorLanes,
    );
  const store = (values: readonly Expression[], ahead: number) =>
    outputs.forEach(({ line: { along, stride }, type }, i) =>
      writeVectorAt(k, type, get(along.at), stride, values[i]!, ahead),
    );
  const vectors = (end: Expression) =>
    until(end, count, (onward) => {
      store(valuesAt(0, fn), 0);
      onward();
    });

  const inside = awayFromEnds(fn, inputs);
  const likely = likelyPart(inside.fn, true);
  const hoped = likely ?? inside.fn;
  const many = functionWork(hoped) > LIGHT ? 1 : outputs.length * 4 <= HELD ? 4 : 2;
  const rounds = () =>
    until(length, many * count, (onward) => {
      const places = Array.from({ length: many }, (_, i) => i * count);
      const results = places.map((ahead) => valuesAt(ahead, hoped));
      const storeAll = () => {
        places.forEach((ahead, i) => store(results[i]!, ahead));
        onward();
      };
      if (!likely) {
        storeAll();
        return;
      }
      const right = results.map((values) => values.at(-1)!);
      const all = right.reduce((both, one) => apply('v128.and', both, one));
      f.if(apply('i32x4.all_true', all), storeAll, () => vectors(get(f.keep(add(get(place), i32(many * count))))));
    });
  if (inside.isTrue) f.if(inside.isTrue(k, length), rounds);
  else if (likely || many > 1) rounds();
  vectors(length);
  until(length, 1, (onward) => {
    const values = inputs.map(({ along }) => read(k, along));
    const results = emitFunction(k, fn, values);
    outputs.forEach(({ line, type }, i) => writeAt(k, type, get(line.along.at), results[i]!));
    onward();
  });
}

export interface Inside {
  readonly fn: ScalarFunction;
  /** Whether the function is that at all of so many places; undefined where it always is. */
  readonly isTrue: ((k: Kernel, length: Expression) => Expression) | undefined;
}

/**
 * The function where an index is none of those that it is compared with, and greater than those it should be. `inputs`: undefined
 * where one is known to be no index.
 */
export function awayFromEnds(fn: ScalarFunction, inputs: readonly (Line | undefined)[]): Inside {
  const tests = fn.body.statements.flatMap((statement) => indexTest(statement, fn, inputs) ?? []);
  if (tests.length === 0) return { fn, isTrue: undefined };
  const types = fn.parameters.map(({ type }) => type);
  const decided: ScalarFunction = {
    parameters: fn.parameters,
    body: {
      ...fn.body,
      statements: fn.body.statements.map((statement): ScalarStatement => {
        const test = tests.find((each) => each.statement === statement);
        if (!test) return statement;
        const zero: ScalarLiteral = { kind: 'literal', type: 'int', value: 0 };
        // 0 = 0 or 0 < 0: what it comes to is folded.
        return { ...test.statement, operation: test.is ? 'eq' : 'lt', operands: [zero, zero] };
      }),
    },
  };
  return {
    fn: simplifyFunction(scalarFunction(types, (s, ...parameters) => s.inline(decided, parameters))),
    isTrue: (k, length) =>
      tests
        .map(({ line, literal, is }) => {
          const last = add(get(line.item.at), apply('i32.mul', apply('i32.sub', length, i32(1)), k.size(line.stride)));
          const [from, to] = [get(line.item.at), last].map((index) =>
            get(k.f.keep(apply('i32.sub', index, i32(literal)))),
          ) as [Expression, Expression];
          const [above, below] = (['i32.gt_s', 'i32.lt_s'] as const).map((is) =>
            apply('i32.and', apply(is, from, i32(0)), apply(is, to, i32(0))),
          ) as [Expression, Expression];
          return is ? above : apply('i32.or', above, below);
        })
        .reduce((all, one) => apply('i32.and', all, one)),
  };
}

/** An index compared with a number: index = number, hoped to be false; or number < index, hoped to be true. */
function indexTest(statement: ScalarStatement, fn: ScalarFunction, inputs: readonly (Line | undefined)[]) {
  if (statement.kind !== 'apply') return undefined;
  const { operation, operands } = statement;
  const indexOf = (operand: ScalarApply['operands'][number] | undefined): Line | undefined => {
    if (operand?.kind !== 'variable') return undefined;
    const line = inputs[fn.parameters.findIndex(({ id }) => id === operand.id)];
    return line?.item.element === 'index' ? line : undefined;
  };
  const [left, right] = operands;
  if (operation === 'eq' && right?.kind === 'literal') {
    const line = indexOf(left);
    return line && { statement, line, literal: right.value, is: false };
  }
  if (operation === 'lt' && left?.kind === 'literal') {
    const line = indexOf(right);
    return line && { statement, line, literal: left.value, is: true };
  }
  return undefined;
}

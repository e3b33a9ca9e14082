/** Random programs as Python: always that they are Python, and where JAX is at hand their values and derivatives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import type { Program } from '../../../engine/0-ir/program.ts';
import { realLiteral, type ScalarOperand } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { operationInfo, scalarOperationNames, type ScalarOperation } from '../../../engine/0-ir/scalar-operations.ts';
import { sizeValue, type SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { arrayType, type ElementType } from '../../../engine/0-ir/types.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { Identifiers } from '../../../src-main/export/identifiers.ts';
import { pythonArray, writeFunction } from '../../../src-main/export/jax/constructs.ts';
import { helperNames, helpersFor } from '../../../src-main/export/jax/helpers.ts';
import { pythonWords } from '../../../src-main/export/jax.ts';
import { reviveNumbers, stringify } from '../../../src-main/json.ts';
import { pythonRuns, runPython } from '../../support/python.ts';
import { constructKinds } from '../../support/random/constructs.ts';
import { randomProgram, type RandomProgram } from '../../support/random/programs.ts';

const cases = Number(process.env['SWEEP'] ?? 8);

interface Case {
  readonly text: string;
  readonly values: number[][];
  readonly adjoints: number[][];
}

const weight = (i: number): number => 0.3 + (i % 5) / 4;

function caseOf({ program, inputs, sizes }: RandomProgram, index: number): Case {
  const names = new Identifiers([...pythonWords, ...helperNames, 'n', 'm']);
  const found = interpret(program, inputs, sizes);
  const values = [...found.values()].map(({ values }) => Array.from(values));
  const reals = program.parameters.filter(({ value }) => value.type.element === 'real');
  const cotangents = program.results.flatMap(({ name, value }, i) =>
    value.type.element === 'real' ? [[`cotangent of ${name}`, values[i]!.map((_, k) => weight(k))] as const] : [],
  );
  const adjoint = interpret(vjp(program), new Map([...inputs, ...cotangents]), sizes);
  const adjoints = reals.map(({ name }) => Array.from(adjoint.get(`adjoint of ${name}`)?.values ?? []));
  const given = program.parameters.map(({ name, value }) => array(value.type, inputs.get(name)!, sizes));
  const at = program.parameters.flatMap(({ value }, i) => (value.type.element === 'real' ? [i] : []));
  const lines = [
    `n, m = ${sizes['n']}, ${sizes['m']}`,
    ...writeFunction(`case_${index}`, program, names),
    `run(case_${index}, [${given.join(', ')}], [${at.join(', ')}])`,
  ];
  return { text: lines.join('\n'), values, adjoints };
}

const array = (
  type: Program['parameters'][number]['value']['type'],
  values: readonly number[],
  sizes: SizeBinding,
): string =>
  pythonArray(
    type.element satisfies ElementType,
    values,
    type.shape.map((size) => sizeValue(size, sizes)),
  );

const prelude = `
import json, math
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
jax.config.update("jax_enable_x64", True)
`;

/** Sums what is real with the weights, differentiates, and prints a line for each program. */
const runner = `
def run(f, given, at):
    results = f(*given)
    def total(*reals):
        args = list(given)
        for i, x in zip(at, reals): args[i] = x
        whole = 0.0
        for r in f(*args):
            if r.dtype == jnp.float64 and r.size > 0:
                w = 0.3 + (jnp.arange(r.size) % 5) / 4.0
                whole = whole + jnp.sum(jnp.where(w > 0, w, 0) * r.reshape(-1))
        return whole
    adjoints = jax.grad(total, tuple(range(len(at))))(*[given[i] for i in at])
    flat = lambda xs: [[float(v) for v in np.asarray(x).reshape(-1)] for x in xs]
    print(json.dumps([flat(results), flat(adjoints)]), flush=True)
`;

/** What JAX has a counterpart of. */
const constructs = constructKinds.filter((kind) => kind !== 'solve' && kind !== 'history');
const drawn = (): Case[] => fc.sample(randomProgram({ constructs }), cases).map(caseOf);

const moduleOf = (all: readonly Case[]): string => {
  const text = all.map((each) => each.text).join('\n');
  return [prelude, ...helpersFor(text), runner, text].join('\n');
};

describe('programs as Python', () => {
  it.runIf(pythonRuns('import ast'))('are Python', () => {
    const text = moduleOf(drawn());
    expect(runPython(`import ast\nprint(len(ast.parse(${JSON.stringify(text)}).body) > 0)`)).toBe('True\n');
  });

  it.runIf(pythonRuns('import jax'))(
    'compute and differentiate as the interpreter does',
    () => {
      const all = drawn();
      const lines = runPython(moduleOf(all)).trim().split('\n');
      expect(lines).toHaveLength(all.length);
      all.forEach(({ values, adjoints, text }, i) => {
        const got = reviveNumbers(JSON.parse(lines[i]!.replaceAll(/-?Infinity|NaN/g, '"$&"')));
        expectNear(got, [values, adjoints], text);
      });
      // JAX compiles every operation that it meets.
    },
    600_000,
  );
});

const edges = [-750, -40, -3, -2.5, -1, -0.5, -1e-300, -0, 0, 1e-300, 0.5, 1, 1.5, 2, 40, 750, 1e300].concat([
  -1e300,
  -Infinity,
  Infinity,
  NaN,
]);
const few = [-2.5, -1, -0, 0, 1e-300, 0.5, 1, 2, 750, 1e300, -1e300, -Infinity, Infinity, NaN];
const pairs = few.flatMap((x) => few.map((y) => [x, y]));
const alone = edges.map((x) => [x]);
const bounded = few.flatMap((x) => [
  [x, -1, 1],
  [x, 0, 0],
  [x, -Infinity, Infinity],
  [x, 1, -1],
]);

interface EdgeCase extends Case {
  readonly name: string;
  readonly rows: readonly (readonly number[])[];
}

/** Operations that formulas have no name for, and division, whose derivative is JAX's own where y² is beyond the reals. */
const passedOver: readonly ScalarOperation[] = ['mantissa', 'exponent', 'scale', 'detach', 'div'];

/** Every operation of reals at all combinations of edges, and what is written otherwise where an operand is a literal. */
function edgeCases(): EdgeCase[] {
  const cases: EdgeCase[] = [];
  const add = (
    name: string,
    rows: readonly (readonly number[])[],
    operation: ScalarOperation,
    operandsOf = (x: readonly ScalarOperand[]): readonly ScalarOperand[] => x,
  ): void => {
    const b = new ProgramBuilder();
    const names = ['x', 'y', 'a'].slice(0, rows[0]?.length);
    const values = names.map((each) => b.parameter(each, arrayType('real', ['n'])));
    const types = values.map(() => 'real' as const);
    const [result] = b.map(
      scalarFunction(types, (s, ...x) => [s.apply(operation, ...operandsOf(x))]),
      values,
    );
    const inputs = new Map(names.map((each, j) => [each, rows.map((row) => row[j]!)]));
    const program = b.finish({ result: result! });
    cases.push({ name, rows, ...caseOf({ program, inputs, sizes: { n: rows.length, m: 0 } }, cases.length) });
  };
  for (const operation of scalarOperationNames) {
    const { arity, signature } = operationInfo(operation);
    const isReal = signature === 'real' || signature === 'number';
    if (isReal && !passedOver.includes(operation) && operation !== 'polygamma')
      add(operation, arity === 1 ? alone : arity === 2 ? pairs : bounded, operation);
  }
  for (const m of [0, 1, 2, 3, 1.5]) add(`polygamma ${m}`, alone, 'polygamma', (x) => [realLiteral(m), ...x]);
  for (const power of [0, 1, 2, 3, 0.5, 1.5, -1, -2, -0.5, 17, 1e300, Infinity, NaN])
    add(`power ${power}`, alone, 'pow', (x) => [...x, realLiteral(power)]);
  for (const base of [0, 2, -2, 1, Infinity]) add(`${base} to a power`, alone, 'pow', (x) => [realLiteral(base), ...x]);
  return cases;
}

it.runIf(pythonRuns('import jax'))(
  'every function has the values and derivatives of the engine at its edges',
  () => {
    const all = edgeCases();
    const lines = runPython(moduleOf(all)).trim().split('\n');
    const wrong = all.flatMap(({ name, rows, values, adjoints }, i) => {
      const [found, slopes] = reviveNumbers(
        JSON.parse(lines[i]!.replaceAll(/-?Infinity|NaN/g, '"$&"')),
      ) as number[][][];
      return rows.flatMap((row, k) =>
        [
          ['value', found![0]![k]!, values[0]![k]!] as const,
          ...row.map((_, j) => [`derivative ${j}`, slopes![j]![k]!, adjoints[j]![k]!] as const),
        ].flatMap(([what, got, wanted]) =>
          isNear(got, wanted) ? [] : [`${name}(${row.join(', ')}): ${what} ${got}, wanted ${wanted}`],
        ),
      );
    });
    expect(wrong).toEqual([]);
  },
  600_000,
);

/** Relative, down to the smallest; JAX has no subnormal numbers. */
const isNear = (a: number, b: number): boolean =>
  Object.is(a, b) || a === b || Math.abs(a - b) <= 1e-9 * Math.abs(b) || (Math.abs(a) < 1e-307 && Math.abs(b) < 1e-307);

function expectNear(actual: unknown, wanted: unknown, text: string): void {
  if (typeof wanted !== 'number' || typeof actual !== 'number') {
    expect(Array.isArray(actual) && actual.length, text).toBe((wanted as unknown[]).length);
    (wanted as unknown[]).forEach((entry, i) => expectNear((actual as unknown[])[i], entry, text));
    return;
  }
  if (Object.is(actual, wanted) || actual === wanted) return;
  if (!(Math.abs(actual - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted))))
    expect.fail(`wanted ${stringify(wanted)}, got ${stringify(actual)} of\n${text}`);
}

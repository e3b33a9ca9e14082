/**
 * Random well-typed programs over every construct, with inputs and sizes (0 and 1 often): what backends, rewrites, the
 * printer and the verifier are tried on. Indices that may fault are in range; everything else may happen.
 */
import fc from 'fast-check';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { operandsOf } from '../../../engine/0-ir/operands.ts';
import { printProgram } from '../../../engine/0-ir/print.ts';
import type { ConstructKind, Program, Value } from '../../../engine/0-ir/program.ts';
import { sizeValue, type SizeBinding } from '../../../engine/0-ir/sizes.ts';
import type { ElementType, Shape } from '../../../engine/0-ir/types.ts';
import { inlineCalls } from '../../../engine/0-ir/walk.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { choices, Choices } from '../choices.ts';
import { constructKinds, writeConstruct } from './constructs.ts';
import { ProgramWriter } from './program-writer.ts';
import { tame, type Style } from './styles.ts';

export interface RandomProgram {
  readonly program: Program;
  /** Parameter → elements in row-major order. */
  readonly inputs: ReadonlyMap<string, number[]>;
  readonly sizes: SizeBinding;
}

export interface RandomProgramOptions {
  /** Constructs to choose from; all that backends take unless said. Others may occur to make their operands. */
  readonly constructs?: readonly ConstructKind[];
  readonly maxStatements?: number;
  /** Values, operations and operators; tame ones unless said. */
  readonly style?: Style;
}

/** The names of all parameters that a program may have. */
export const parameterNames: readonly string[] = ['x', 'k', 'y', 'a', 'b', 'j'];

/** What a statement and its operands may use up. */
const choicesEach = 80;
const ints = [0, 1, 2, 3, -1, 4, 1, 0, 7];

/** Implicit solutions are written out before a program is lowered (2-ad/implicit). */
const backendKinds = constructKinds.filter((kind) => kind !== 'solve');

export function randomProgram(options: RandomProgramOptions = {}): fc.Arbitrary<RandomProgram> {
  const { constructs = backendKinds, maxStatements = 6, style = tame } = options;
  return fc
    .record({
      parameters: choices(20),
      statements: fc.array(choices(choicesEach), { minLength: 1, maxLength: maxStatements, size: 'max' }),
      data: choices(60),
      n: fc.constantFrom(3, 0, 1, 2, 4),
      m: fc.constantFrom(2, 1, 0, 3),
    })
    .map(({ parameters, statements, data, n, m }) => {
      const program = writeProgram(new Choices(parameters), statements, constructs, style);
      const sizes = { n, m };
      const inputs = randomInputs(program, sizes, new Choices(data), style);
      // A counterexample prints as the program's text.
      const text = `n = ${n}, m = ${m}\n${printProgram(program)}\n${fc.stringify(inputs)}`;
      return { program, inputs, sizes, [fc.toStringMethod]: () => text };
    });
}

/** All values on the way, as the interpreter has them. */
export function valuesOf({ program, inputs, sizes }: Pick<RandomProgram, 'program' | 'inputs' | 'sizes'>): number[] {
  const flat = inlineCalls(program);
  const values = flat.statements.flatMap((statement) => statement.results);
  const everything: Program = { ...flat, results: values.map((value) => ({ name: `${value.id}`, value })) };
  return [...interpret(everything, inputs, sizes).values()].flatMap((value) => [...value.values]);
}

function writeProgram(
  c: Choices,
  statements: readonly number[][],
  constructs: readonly ConstructKind[],
  style: Style,
): Program {
  const builder = new ProgramBuilder();
  const parameters: Value[] = [];
  const add = (name: string, element: ElementType, shape: Shape) =>
    parameters.push(builder.parameter(name, { element, shape }));
  add('x', 'real', ['n']);
  add('k', 'int', [c.pick(['n', 'm', 4])]);
  add(
    'y',
    'real',
    c.pick<Shape>([
      ['n', 'm'],
      ['m', 'n'],
      ['n', 3],
      ['n', 1, 'm'],
      [2, 'm', 'n'],
    ]),
  );
  if (c.flip()) add('a', 'real', []);
  if (c.flip()) add('b', 'bool', c.pick<Shape>([['n'], ['n', 'm'], []]));
  if (c.flip()) add('j', 'int', c.pick<Shape>([['n', 'm'], [2, 'n'], []]));
  const pool = [...parameters];
  statements.forEach((numbers, i) => {
    const choose = new Choices(numbers);
    builder.origin = choose.flip() ? `block ${i}` : undefined;
    const writer = new ProgramWriter(builder, pool, choose, style);
    pool.push(...writeConstruct(writer, choose.pick(constructs)));
  });
  return builder.finish(unread(builder.finish([]), pool).map((value) => ({ name: `result${value.id}`, value })));
}

/** The values of the pool that nothing reads, so that every statement matters; never none. */
function unread(program: Program, pool: readonly Value[]): Value[] {
  const read = new Set<number>();
  for (const { construct } of program.statements) for (const { id } of operandsOf(construct)) read.add(id);
  const sinks = pool.filter((value) => !read.has(value.id));
  return sinks.length > 0 ? sinks : pool.slice(-1);
}

function randomInputs(program: Program, sizes: SizeBinding, c: Choices, style: Style): Map<string, number[]> {
  const inputs = new Map<string, number[]>();
  for (const { name, value } of program.parameters) {
    const count = value.type.shape.reduce<number>((product, size) => product * sizeValue(size, sizes), 1);
    const { element } = value.type;
    inputs.set(
      name,
      c.list(count, () => (element === 'bool' ? c.below(2) : c.pick(element === 'int' ? ints : style.reals))),
    );
  }
  return inputs;
}

/**
 * What rules cost, measured: for each construct and operator every rule that applies is forced in turn, and the
 * differentiated program (value and all adjoints) run on the CPU; estimate and time stand side by side.
 *
 *     node build/measure-rules.mjs [ELEMENTS] [WORD…]     of lines in which a word occurs; 10⁶ elements unless said
 */
import { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import { arity, builtinOperator, type Operator } from '../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../engine/0-ir/program.ts';
import { scalarFunction } from '../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../engine/0-ir/types.ts';
import { chooseRule } from '../../engine/2-ad/choose.ts';
import { estimate, profiles, type Cost } from '../../engine/2-ad/cost.ts';
import { vjp, vjpRules } from '../../engine/2-ad/vjp.ts';
import { cpuDevice, type CpuDevice } from '../../engine/5-runtime/cpu-device.ts';
import { linFnComp, matMul, matMul2, satAdd, sumOfProd } from './operators.ts';

const origin = 'measured';
const bins = 401;

interface Subject {
  readonly name: string;
  readonly program: Program;
}

type Emit = (b: ProgramBuilder, inputs: readonly Value[]) => Value[];

function subject(name: string, inputs: number, emit: Emit): Subject {
  const b = new ProgramBuilder();
  b.origin = origin;
  const values = Array.from({ length: inputs }, (_, i) => b.parameter(`x${i}`, arrayType('real', ['n'])));
  const results = emit(b, values).map((value, i) => ({ name: `y${i}`, value }));
  return { name, program: b.finish(results) };
}

const operators: readonly (readonly [name: string, operator: Operator])[] = [
  ['+', builtinOperator('add')],
  ['min', builtinOperator('min')],
  ['×', builtinOperator('multiply')],
  ['logaddexp', builtinOperator('logaddexp')],
  ['satAdd', satAdd],
  ['linFnComp', linFnComp],
  ['sumOfProd', sumOfProd],
  ['matMul 2×2', matMul2],
  ['matMul 3×3', matMul(3)],
];

/** Keys come from a generator of their own, so that they are data: nothing that depends on them alone is in the time. */
function histogramOf(operator: Operator): Emit {
  return (b, inputs) => b.histogram(operator, b.parameter('keys', arrayType('int', ['n'])), inputs, bins);
}

/** x = k·x + u. */
const filter = subject('recurrence affine', 1, (b, inputs) =>
  b.emit({
    kind: 'recurrence',
    step: scalarFunction(['real', 'real', 'real'], (s, x, u, k) => {
      const next = s.apply('add', s.apply('mul', k, x), u);
      return [next, next];
    }),
    shape: ['n'],
    axis: 0,
    reverse: false,
    initial: [b.literal(0)],
    inputs,
    invariants: [b.literal(0.9)],
  }),
);

const subjects: readonly Subject[] = [
  ...operators.map(([name, operator]) =>
    subject(`reduce ${name}`, arity(operator), (b, inputs) => b.reduce(operator, inputs, 0)),
  ),
  ...operators.map(([name, operator]) =>
    subject(`scan ${name}`, arity(operator), (b, inputs) => b.scan(operator, inputs, 0)),
  ),
  ...operators
    .filter(([, operator]) => operator.commutative)
    .map(([name, operator]) => subject(`histogram ${name}`, arity(operator), histogramOf(operator))),
  filter,
];

/** Microseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Nanoseconds per element of the fastest of several runs, of this process's own time: the device has one thread. */
function measured(device: CpuDevice, program: Program, n: number): number {
  const varying = new Set(program.parameters.map(({ name }) => name).filter((name) => name !== 'keys'));
  const executable = device.load(program, { varying });
  const instance = executable.bind({ n });
  for (const { name, value } of program.parameters) {
    const length = value.type.shape.reduce<number>((total, size) => total * (size === 'n' ? n : Number(size)), 1);
    // Near 1, where products of a million neither overflow nor vanish; keys spread over the bins.
    const element = (i: number): number => {
      const mixed = Math.imul(i + 1, 0x9e3779b1) >>> 0;
      return value.type.element === 'int' ? mixed % bins : 1 + (mixed / 2 ** 32 - 0.5) / 64;
    };
    instance.write(
      name,
      Float64Array.from({ length }, (_, i) => element(i)),
    );
  }
  let best = Infinity;
  for (let run = 0; run < 8; run++) {
    const start = processorTime();
    instance.run();
    if (run > 0) best = Math.min(best, processorTime() - start);
  }
  instance.release();
  executable.release();
  return (best * 1e3) / n;
}

interface Line {
  readonly rule: string;
  readonly cost: Cost;
  readonly estimated: number;
  readonly time: number;
  readonly chosen: boolean;
}

function linesOf(device: CpuDevice, { program }: Subject, n: number): Line[] {
  const statement = program.statements.find(({ construct }) =>
    ['reduce', 'scan', 'histogram', 'recurrence'].includes(construct.kind),
  );
  if (!statement) return [];
  const { construct } = statement;
  const choice = chooseRule(vjpRules, construct, profiles.cpu)?.rule;
  return vjpRules
    .filter((rule) => rule.construct === construct.kind && rule.matches(construct))
    .map((rule) => ({
      rule: rule.name,
      cost: rule.cost(construct),
      estimated: estimate(rule.cost(construct), profiles.cpu),
      time: measured(device, vjp(program, { force: new Map([[origin, rule.name]]) }), n),
      chosen: rule === choice,
    }));
}

const [elements, ...words] = process.argv.slice(2);
const n = Number(elements ?? 1e6);
const device = cpuDevice();
const row = (...cells: readonly string[]): void =>
  console.log(cells.map((cell, i) => (i < 2 ? cell.padEnd(26) : cell.padStart(11))).join(''));
row('construct and operator', 'rule', 'traffic', 'operations', 'passes', 'estimate', 'measured', '× primal');
for (const each of subjects.filter(({ name }) => words.every((word) => name.includes(word)))) {
  const primal = measured(device, each.program, n);
  row(each.name, '(primal)', '', '', '', '', primal.toFixed(2), '');
  const lines = linesOf(device, each, n);
  const fastest = Math.min(...lines.map(({ time }) => time));
  for (const line of lines)
    row(
      '',
      line.rule,
      ...[line.cost.traffic, line.cost.operations, line.cost.passes].map(String),
      line.estimated.toFixed(2),
      line.time.toFixed(2),
      (line.time / primal).toFixed(1),
      line.chosen ? ` chosen${line.time > 1.2 * fastest ? ', not the fastest' : ''}` : '',
    );
}
device.close();

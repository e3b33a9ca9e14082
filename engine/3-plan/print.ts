/**
 * Plans as text for people.
 *
 *     plan (n)
 *       b0 real[n] input 0..1   x varying
 *       b1 real[1] result 0..1   total
 *     run
 *       0 reduce [n] along 0 add (b0[0 + i0*1]) → b1[0]
 */
import { printOperator, printScalarFunction } from '../0-ir/print-scalar.ts';
import type { ScalarFunction } from '../0-ir/scalar.ts';
import type { Operator } from '../0-ir/operators.ts';
import type { Size } from '../0-ir/sizes.ts';
import { printShape } from '../0-ir/types.ts';
import type { Access, KernelKind, KernelStep, Plan, Source, Step, StepOf } from './plan.ts';

type Print<S> = (step: S, indent: string) => string;

const printers: { [K in KernelKind]: Print<StepOf<K>> } = {
  map: (s, indent) => words(printScalarFunction(s.function, indent), list(s.inputs), arrow(s.outputs)),
  reduce: (s, indent) => words(`along ${s.axis}`, combining(s, indent), arrow(s.outputs)),
  scan: (s, indent) =>
    words(
      `along ${s.axis}`,
      s.exclusive && 'exclusive',
      s.flags && `flags ${place(s.flags)}`,
      combining(s, indent),
      s.epilogue && `epilogue ${printScalarFunction(s.epilogue.function, indent)} ${list(s.epilogue.inputs)}`,
      arrow(s.outputs),
    ),
  sweep: (s, indent) =>
    words(
      `along ${s.axis}`,
      s.along.exclusive && 'exclusive',
      combining(s.along, indent),
      'against',
      s.against.exclusive && 'exclusive',
      combining(s.against, indent),
      `epilogue ${printScalarFunction(s.epilogue.function, indent)} ${list(s.epilogue.inputs)}`,
      arrow(s.outputs),
    ),
  histogram: (s, indent) =>
    words(
      `batch ${s.batch} bins [${s.bins}] keys ${place(s.keys)}`,
      s.initial && `initial ${list(s.initial)}`,
      combining(s, indent),
      arrow(s.outputs),
    ),
  'keyed-scan': (s, indent) =>
    words(
      `batch ${s.batch} bins [${s.bins}]`,
      s.exclusive && 'exclusive',
      `keys ${place(s.keys)}`,
      s.initial && `initial ${list(s.initial)}`,
      combining(s, indent),
      s.epilogue && `epilogue ${printScalarFunction(s.epilogue.function, indent)} ${list(s.epilogue.inputs)}`,
      arrow([...s.running, ...s.totals]),
    ),
  recurrence: (s, indent) =>
    words(
      `along ${s.axis}`,
      printScalarFunction(s.step, indent),
      `initial ${list(s.initial)} inputs ${list(s.inputs)} invariants ${list(s.invariants)}`,
      s.every && `every [${s.every.join(', ')}]`,
      s.rests !== undefined && `rests [${s.rests}]`,
      s.back && `back from ${place(s.back.from)} inputs ${s.back.inputs.join(' ')}`,
      arrow([...s.finals, ...s.outputs, ...(s.reached ? [s.reached] : [])]),
    ),
  history: (s, indent) =>
    words(
      `along ${s.axis}`,
      s.backward && 'backward',
      printScalarFunction(s.step, indent),
      s.asked && `asked ${printScalarFunction(s.asked, indent)}`,
      `initial ${list(s.initial)} inputs ${list(s.inputs)} places ${list(s.places)} invariants ${list(s.invariants)}`,
      arrow([...s.finals, ...s.outputs, ...s.rows, ...s.found]),
    ),
  gather: (s) =>
    words(
      `${place(s.from)} rows [${s.rows}] by [${s.rowStride}] at ${place(s.indices)} outside ${s.outside}`,
      arrow([s.output]),
    ),
  scatter: (s) =>
    words(
      `${place(s.values)} at ${place(s.indices)} rows [${s.rows}] by [${s.rowStride}] along ${s.axis}`,
      s.checked && `checked in b${s.checked.scratch}`,
      arrow([s.target]),
    ),
  sort: (s) => words(place(s.keys), s.bound !== undefined && `bound [${s.bound}]`, arrow([s.output])),
  matmul: (s) => words(place(s.left), place(s.right), arrow([s.output])),
};

export function printPlan(plan: Plan): string {
  const lines = [`plan (${plan.symbols.join(', ')})`];
  plan.buffers.forEach(({ element, length, role, lifetime }, id) => {
    const names = [
      ...plan.inputs
        .filter((input) => input.buffer === id)
        .map(({ name, varying }) => (varying ? `${name} varying` : name)),
      ...plan.results.filter((result) => result.buffer === id).map(({ name }) => name),
    ];
    lines.push(`  b${id} ${element}[${length}] ${role} ${lifetime.join('..')}   ${names.join(', ')}`.trimEnd());
  });
  lines.push('prepare', ...printSteps(plan.prepare, 0, '  '));
  lines.push('run', ...printSteps(plan.run, plan.prepare.length, '  '));
  return lines.join('\n');
}

function printSteps(steps: readonly Step[], first: number, indent: string): string[] {
  return steps.flatMap((step, i) => {
    const origin = step.origin === undefined ? '' : ` @ ${JSON.stringify(step.origin)}`;
    if (step.kind === 'loop')
      return [`${indent}${first + i} loop [${step.count}]${origin}`, ...printSteps(step.steps, 0, `${indent}  `)];
    return [`${indent}${first + i} ${printStep(step, indent)}${origin}`];
  });
}

function printStep(step: KernelStep, indent: string): string {
  const text = (printers[step.kind] as Print<KernelStep>)(step, indent);
  return `${step.kind} ${printShape(step.domain)} ${text}`;
}

function combining(
  s: { readonly operator: Operator; readonly prologue?: ScalarFunction; readonly inputs: readonly Source[] },
  indent: string,
): string {
  return words(
    printOperator(s.operator, indent),
    s.prologue && `prologue ${printScalarFunction(s.prologue, indent)}`,
    list(s.inputs),
  );
}

function arrow(accesses: readonly (Access | null)[]): string {
  return `→ ${accesses.map((access) => (access ? place(access) : '_')).join(', ')}`;
}

function list(sources: readonly Source[]): string {
  return `(${sources.map(place).join(', ')})`;
}

/** `b3[n - 1 + i0*-1]`; an index source is the bare sum; `b2[0 + b5[i0*1]*1 of m, zero]`: what a row of a table has there. */
function place(access: Source | Access): string {
  if ('kind' in access && access.kind === 'gathered') {
    const { table, buffer, offset, strides } = access;
    const row = `${place({ buffer, offset, strides })}*${table.stride} of ${table.rows}, ${table.outside}`;
    return `b${table.buffer}[${sum(table)} + ${row}]`;
  }
  const address = `[${sum(access)}]`;
  return 'buffer' in access ? `b${access.buffer}${address}` : address;
}

function sum({ offset, strides }: Pick<Access, 'offset' | 'strides'>): string {
  const terms = strides.flatMap((stride: Size, axis) => {
    const text = typeof stride === 'string' && /[ *]/.test(stride) ? `(${stride})` : stride;
    return stride === 0 ? [] : [`i${axis}*${text}`];
  });
  return [String(offset), ...terms].join(' + ');
}

function words(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}

/** Unknowns that are such that every equation is 0: y with F(y, x) = 0, found by Newton's method in a trust region. */
import * as v from 'valibot';
import { builtinOperator, intLiteral, realLiteral, scalarFunction, solveEnds, type Value } from '../../engine/index.ts';
import { common, formula, named, refOrNumber, strict } from '../notation/fields.ts';
import { isDocumentNumber, toNumber } from '../notation/numbers.ts';
import { formulaPorts, portKey } from '../formula/names.ts';
import { parseFormula } from '../formula/parse.ts';
import { flatten } from '../objective/sums.ts';
import { blockKind, type LowerContext, type Output, type Sizes, type Wire } from './kind.ts';
import { asReal } from './parts/convert.ts';
import { disagreement } from './parts/disagreement.ts';
import { enough } from './parts/enough.ts';
import { compile, formulaWires, portValues, type CompiledFormulas } from './parts/formulas.ts';
import { broadcastSizes } from './parts/sizes.ts';
import { solverFaults } from './parts/solver-faults.ts';
import { initialPort, lengthsFit, namesFit, startingNumber } from './parts/states.ts';
import { turningOr } from './parts/turning.ts';

const schema = strict({
  kind: v.literal('solve'),
  ...common,
  unknown: named(strict({ initial: refOrNumber, equation: formula }), 'unknowns by name'),
});

export type SolveBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly compiled: CompiledFormulas;
  readonly sizes: Sizes;
}

/** Steps that a search begins with, and after which it is given up. */
const usualSteps = 32;
const mostSteps = 1024;
/** In the place of a solution's size. */
const noSize = -1;

export const solve = blockKind<SolveBlock, Detail>({
  kind: 'solve',
  schema,

  wires(block) {
    const unknowns = Object.entries(block.unknown);
    const initial = unknowns.flatMap(([name, { initial }]): Wire[] =>
      isDocumentNumber(initial) ? [] : [{ port: initialPort(name), ref: initial }],
    );
    const equations = unknowns.map(([name, { equation }]) => [name, equation] as const);
    return [...formulaWires(equations, {}, new Set(Object.keys(block.unknown))), ...initial];
  },

  infer(block, context) {
    const unknowns = Object.entries(block.unknown);
    const own = new Set(Object.keys(block.unknown));
    if (!namesFit(context, [...own], [])) return undefined;
    const compiled = compile(
      context,
      unknowns.map(([output, { equation }]) => ({ output, text: equation, want: 'real' })),
      (name) => (own.has(name) ? 'real' : context.input(name)?.element),
    );
    if (!compiled || !lengthsFit(context, compiled.ports)) return undefined;
    const apart = unmet(unknowns.map(([name, { equation }]) => [name, equation] as const));
    if (apart !== undefined) return context.fail(apart);
    const free = compiled.ports.flatMap((port) => (port.kind === 'name' && !own.has(port.name) ? [port.name] : []));
    const given = context.inputs(free);
    const initial = unknowns.map(([name, each]) =>
      isDocumentNumber(each.initial) ? startingNumber : context.input(initialPort(name)),
    );
    if (!given || initial.includes(undefined)) return undefined;
    const names = [...free, ...unknowns.map(([name]) => initialPort(name))];
    const all = [...given, ...(initial as Output[])];
    const sizes = broadcastSizes(all.map((each) => each.sizes));
    if (!sizes) return context.fail(...disagreement(names, all));
    if (sizes.length === 0 && compiled.ports.some((port) => port.kind === 'index'))
      return context.fail('index wants an array among the inputs, and all are scalars', { fix: 'use a "range" block' });
    const computed = all.some((each) => each.computed);
    const outputs = unknowns.map(([name]): Output => ({ name, element: 'real', sizes, computed }));
    return { outputs, detail: { compiled, sizes } };
  },

  lower(block, detail, context) {
    const b = context.builder;
    const { unknowns, end, iterations } = searched(block, detail, context);
    const more = enough(context, end, iterations, mostSteps, (s, each) =>
      s.apply('eq', each, intLiteral(solveEnds.unfinished)),
    );
    return unknowns.map((each) =>
      b.elementwise([each, end, more], (s, y, ended, short) =>
        // Found, or the run is made again with more steps; so every use of y hangs on it.
        s.either(
          s.apply('and', s.apply('eq', short, intLiteral(0)), s.apply('eq', ended, intLiteral(solveEnds.found))),
          () => y,
          () => realLiteral(NaN),
        ),
      ),
    );
  },

  /**
   * 0 and no size, since it takes no steps of time; where nothing was found ∞, why, and by how much the equations are off;
   * where it has no derivative `turning`, and of which unknown, by its place.
   */
  solverError(block, detail, context) {
    const b = context.builder;
    const { unknowns, given, moving, end, residual } = searched(block, detail, context);
    const most = (value: Value): Value => {
      const [found] = b.reduce(builtinOperator('max'), [flatten(b, value)], 0) as [Value];
      return b.apply('max', found, b.literal(0));
    };
    const off = b.map(residual, [...unknowns, ...given], context.shape(detail.sizes));
    const failed = b.elementwise([end], (s, ended) =>
      s.either(
        s.apply('eq', ended, intLiteral(solveEnds.found)),
        () => realLiteral(0),
        () => s.apply('add', s.apply('real', ended), realLiteral(solverFaults.unfinished)),
      ),
    );
    const distance = off
      .map((each) =>
        b.elementwise([each, failed], (s, value, code) =>
          s.either(
            s.apply('eq', code, realLiteral(0)),
            () => realLiteral(0),
            () => s.apply('abs', value),
          ),
        ),
      )
      .map(most)
      .reduce((x, y) => b.apply('max', x, y));
    const none = most(failed);
    const root = { residual, unknowns, given, moving };
    const [fault, beside] = turningOr(b, root, context.shape(detail.sizes), none, distance);
    const error = b.elementwise([none], (s, code) =>
      s.either(
        s.apply('eq', code, realLiteral(0)),
        () => realLiteral(0),
        () => realLiteral(Infinity),
      ),
    );
    return b.concatenate(
      [error, b.literal(noSize), fault, beside].map((value) => b.reshape(value, [1])),
      0,
    );
  },
});

/** Why equations cannot be met by their unknowns, whatever these are: one has none of them, or one of them is in no equation. */
function unmet(equations: readonly (readonly [unknown: string, equation: string])[]): string | undefined {
  const unknowns = equations.map(([name]) => name);
  const read = equations.map(([, text]) => {
    const parsed = parseFormula(text);
    const ports = parsed.ok ? formulaPorts([parsed.formula]) : [];
    return new Set(ports.flatMap((port) => (port.kind === 'name' ? [port.name] : [])));
  });
  const idle = read.findIndex((names) => !unknowns.some((name) => names.has(name)));
  if (idle >= 0) return `the equation of "${unknowns[idle]}" has none of the unknowns`;
  const unread = unknowns.find((name) => !read.some((names) => names.has(name)));
  return unread === undefined ? undefined : `no equation has the unknown "${unread}"`;
}

function searched(block: SolveBlock, { compiled, sizes }: Detail, context: LowerContext) {
  const b = context.builder;
  const names = Object.keys(block.unknown);
  const isOwn = (port: CompiledFormulas['ports'][number]): boolean =>
    port.kind === 'name' && Object.hasOwn(block.unknown, port.name);
  const others = compiled.ports.filter((port) => !isOwn(port));
  const lengthOf = (name: string) => context.output(name).sizes[0]!;
  const given = portValues(context, others, sizes, (name) => context.input(name), lengthOf);
  const keys = [...names.map((name) => portKey({ kind: 'name', name })), ...others.map(portKey)];
  const typeOf = new Map(compiled.ports.map((port, i) => [portKey(port), compiled.function.parameters[i]?.type]));
  const residual = scalarFunction(
    keys.map((key) => typeOf.get(key) ?? 'real'),
    (s, ...operands) =>
      s.inline(
        compiled.function,
        compiled.ports.map((port) => operands[keys.indexOf(portKey(port))]!),
      ),
  );
  const initial = Object.entries(block.unknown).map(([name, { initial: start }]) =>
    isDocumentNumber(start) ? b.literal(toNumber(start)) : asReal(b, context.input(initialPort(name))),
  );
  const iterations = context.growing('steps', usualSteps);
  const shape = context.shape(sizes);
  const results = b.emit({ kind: 'solve', residual, shape, initial, given, iterations, linear: false });
  // What a derivative may be taken by.
  const moving = others.map((port) => port.kind === 'name' && context.output(port.name).computed);
  return { unknowns: results.slice(0, -1), end: results.at(-1)!, given, moving, residual, iterations };
}

/** One random statement of each construct. */
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { componentTypes } from '../../../engine/0-ir/operators.ts';
import type { ConstructKind, Program, Value } from '../../../engine/0-ir/program.ts';
import { realLiteral, type ScalarOperand } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { sizeCeilDivide, sizeMultiply, sizeProduct, sizeSubtract } from '../../../engine/0-ir/sizes.ts';
import { arrayType, type ArrayType, type ElementType } from '../../../engine/0-ir/types.ts';
import { ProgramWriter } from './program-writer.ts';

/** What the bodies of loops and callees consist of. */
const bodyConstructs: readonly ConstructKind[] = ['map', 'scan', 'reverse', 'reduce', 'gather'];

const writers: { [K in ConstructKind]: (w: ProgramWriter) => Value[] } = {
  literal(w) {
    const element = w.element();
    const value = element === 'real' ? w.choose.pick(w.style.literals) : w.choose.below(2);
    return [w.builder.literal(value, element)];
  },

  map(w) {
    const shape = w.shape();
    const given = w.choose.list(w.choose.below(4), () => w.element());
    const results = w.choose.list(1 + w.choose.below(2), () => w.element());
    const inputs = given.map((element) => w.over(element, shape));
    return w.builder.emit({ kind: 'map', function: w.function(given, results), shape, inputs });
  },

  reduce(w) {
    const shape = w.shape(1);
    return w.builder.emit({ kind: 'reduce', axis: w.choose.below(shape.length), ...w.combining(shape) });
  },

  scan: (w) => w.builder.emit({ kind: 'scan', ...scanParts(w) }),

  'segmented-scan'(w) {
    const parts = scanParts(w);
    return w.builder.emit({ kind: 'segmented-scan', ...parts, flags: w.over('bool', parts.shape) });
  },

  histogram: (w) => w.builder.emit({ kind: 'histogram', ...binnedParts(w) }),

  'keyed-scan': (w) =>
    w.builder.emit({ kind: 'keyed-scan', ...binnedParts(w), exclusive: w.choose.flip(), reverse: w.choose.flip() }),

  recurrence(w) {
    const shape = w.shape(1);
    const axis = w.choose.below(shape.length);
    const across = shape.filter((_, other) => other !== axis);
    const types = (count: number) => w.choose.list(count, () => w.element());
    const [carries, given, fixed, outputs] = [1, 2, 1, 1].map((most) => types(w.choose.below(most + 1)));
    const [initial, inputs, invariants] = [
      carries!.map((element) => w.over(element, across)),
      given!.map((element) => w.over(element, shape)),
      fixed!.map((element) => w.over(element, across)),
    ];
    const parameters = [...(carries ?? []), ...(given ?? []), ...(fixed ?? [])];
    // At least one result, or the statement would be none.
    const results = [...(carries ?? []), ...(outputs ?? []), 'real' as const];
    const step = w.function(parameters, results);
    return w.builder.emit({
      kind: 'recurrence',
      step,
      shape,
      axis,
      reverse: w.choose.flip(),
      initial: initial ?? [],
      inputs: inputs ?? [],
      invariants: invariants ?? [],
    });
  },

  // Rows begin with the number of their step, so that they ascend, and are looked for at a share of it.
  history(w) {
    const shape = w.shape(1);
    const axis = w.choose.below(shape.length);
    const across = shape.filter((_, other) => other !== axis);
    const columns = 1 + w.choose.below(2);
    const asks = w.choose.flip();
    const backward = !asks && w.choose.flip();
    const places = asks ? [] : w.choose.list(1 + w.choose.below(2), () => w.over('int', shape));
    const count = asks ? 1 : places.length;
    const [read, written] = backward ? [columns, count * columns] : [count * columns, columns];
    const initial = [w.builder.literal(0), ...w.choose.list(w.choose.below(2), () => w.over('real', across))];
    const inputs = w.choose.list(w.choose.below(3), () => w.over(w.element(), shape));
    const invariants = w.choose.list(w.choose.below(2), () => w.over(w.element(), across));
    const element = ({ type }: Value): ElementType => type.element;
    const reals = (n: number): ElementType[] => new Array<ElementType>(n).fill('real');
    const parameters = [...[...initial, ...inputs].map(element), ...reals(read), ...invariants.map(element)];
    const outputs = w.choose.list(w.choose.below(2), () => w.element());
    const inner = w.function(parameters, [...reals(initial.length), ...outputs, ...reals(written)]);
    const step = scalarFunction(parameters, (s, ...operands) => {
      const results = s.inline(inner, operands);
      const number = operands[0] as ScalarOperand;
      const firstWritten = results.length - written;
      return results.map((result, i) => {
        if (i === 0) return s.apply('add', number, realLiteral(1));
        return i === firstWritten && asks ? number : result;
      });
    });
    const asked = scalarFunction([...initial, ...inputs, ...invariants].map(element), (s, number) => [
      s.apply('mul', number, realLiteral(0.5)),
    ]);
    return w.builder.emit({
      kind: 'history',
      ...{ backward, step, columns, shape, axis, initial, inputs, places, invariants },
      ...(asks && { asked }),
    });
  },

  // y + sin(y)/2 + Σ x: one root each, wherever the search begins.
  solve(w) {
    const shape = w.shape();
    const unknowns = 1 + w.choose.below(2);
    const initial = w.choose.list(unknowns, () => w.over('real', shape));
    const given = w.choose.list(w.choose.below(3), () => w.over('real', shape));
    const residual = scalarFunction(
      [...initial, ...given].map(() => 'real' as const),
      (s, ...operands) => {
        const sum = operands
          .slice(unknowns)
          .reduce<ScalarOperand>((total, each) => s.apply('add', total, each), realLiteral(1));
        return operands.slice(0, unknowns).map((y) => {
          const bent = s.apply('mul', realLiteral(0.5), s.apply('sin', y));
          return s.apply('add', s.apply('add', y, bent), sum);
        });
      },
    );
    return w.builder.emit({ kind: 'solve', residual, shape, initial, given, iterations: 64, linear: false });
  },

  loop(w) {
    const initial = w.choose.list(1 + w.choose.below(2), () => w.any());
    const invariants = w.choose.list(w.choose.below(2), () => w.any());
    const carried = initial.map((value) => value.type);
    const body = writeBody(w, [arrayType('int'), ...carried, ...invariants.map((value) => value.type)], carried);
    return w.builder.emit({ kind: 'loop', count: w.choose.pick([2, 0, 1, 'm', 3]), body, initial, invariants });
  },

  gather(w) {
    const element = w.element();
    const batch = w.choose.below(3);
    const batchShape = w.choose.list(batch, () => w.size());
    const rows = w.size();
    const trailing = w.choose.list(w.choose.below(2), () => w.size());
    const from = w.exactly(element, [...w.thinned(batchShape), rows, ...trailing]);
    if (w.choose.rarely(3)) {
      // Every row once: in range, whatever the sizes.
      const all = w.builder.replicate(w.builder.iota(rows), [...w.thinned(batchShape), rows]);
      return [w.builder.gather(from, all, 'fault', batch)];
    }
    const indexShape = w.choose.list(w.choose.below(3), () => w.size());
    const indices = w.exactly('int', [...w.thinned(batchShape), ...indexShape]);
    return [w.builder.gather(from, indices, element === 'real' && w.choose.flip() ? 'nan' : 'zero', batch)];
  },

  scatter(w) {
    const element = w.element();
    const batch = w.choose.below(3);
    const batchShape = w.choose.list(batch, () => w.size());
    const [rows, count] = [w.size(), w.size()];
    const trailing = w.choose.list(w.choose.below(2), () => w.size());
    // Different indices, the first or the last of them perhaps out of range.
    const shifted = w.builder.apply('sub', w.builder.iota(count), w.builder.literal(w.choose.below(2), 'int'));
    const indices = w.builder.replicate(shifted, [...w.thinned(batchShape), count]);
    const into = w.exactly(element, [...w.thinned(batchShape), rows, ...trailing]);
    const values = w.exactly(element, [...w.thinned(batchShape), count, ...trailing]);
    return [w.builder.scatter(into, indices, values, { batch, checked: w.choose.flip() })];
  },

  'sort-permutation'(w) {
    const keys = w.exactly('int', w.shape(1));
    if (w.choose.flip()) return [w.builder.sortPermutation(keys)];
    const bound = 1 + w.choose.below(5);
    return [w.builder.sortPermutation(w.builder.apply('mod', keys, w.builder.literal(bound, 'int')), bound)];
  },

  iota: (w) => [w.builder.iota(w.size())],

  replicate(w) {
    const shape = w.shape();
    const value = w.over(w.element(), shape);
    return w.builder.emit({ kind: 'replicate', value, shape });
  },

  reverse(w) {
    const value = w.any(1);
    return [w.builder.reverse(value, w.choose.below(value.type.shape.length))];
  },

  transpose(w) {
    const value = w.any(1);
    const left = value.type.shape.map((_, axis) => axis);
    const permutation = value.type.shape.map(() => left.splice(w.choose.below(left.length), 1)[0]!);
    return w.builder.emit({ kind: 'transpose', value, permutation });
  },

  reshape(w) {
    const value = w.any();
    const { shape } = value.type;
    const [first, second, ...rest] = shape;
    const merged = second === undefined ? shape : [sizeMultiply(first!, second), ...rest];
    return w.builder.emit({
      kind: 'reshape',
      value,
      shape: w.choose.pick([[sizeProduct(shape)], [1, ...shape], merged]),
    });
  },

  slice(w) {
    const value = w.any(1);
    const axis = w.choose.below(value.type.shape.length);
    const size = value.type.shape[axis]!;
    const every = w.choose.pick([
      { start: 0, length: sizeCeilDivide(size, 2), step: 2 },
      { start: 0, length: 0, step: 1 },
      { start: sizeSubtract(size, 1), length: size, step: -1 },
    ]);
    const part =
      typeof size === 'number' && size > 1 && w.choose.flip() ? { start: 1, length: size - 1, step: 1 } : every;
    return [w.builder.slice(value, axis, part.start, part.length, part.step)];
  },

  concatenate(w) {
    const value = w.any(1);
    const { element, shape } = value.type;
    const axis = w.choose.below(shape.length);
    const others = w.choose.list(w.choose.below(3), () => w.exactly(element, shape.with(axis, w.size())));
    return [w.builder.concatenate([value, ...others], axis)];
  },

  matmul(w) {
    const batchShape = w.choose.list(w.choose.below(3), () => w.size());
    const [m, k, n] = [w.size(), w.size(), w.size()];
    const left = w.exactly('real', [...w.thinned(batchShape), m, k]);
    const right = w.exactly('real', [...w.thinned(batchShape), k, n]);
    return [w.builder.matmul(left, right)];
  },

  call(w) {
    const inputs = w.choose.list(1 + w.choose.below(2), () => w.any());
    const types = inputs.map((value) => value.type);
    const program = writeBody(w, types, [types[0]!, arrayType(w.element(), w.shape())]);
    return w.builder.emit({ kind: 'call', program, inputs });
  },
};

export const constructKinds = Object.keys(writers) as ConstructKind[];

/** Appends a statement of this kind, and what its operands need. Its results. */
export function writeConstruct(writer: ProgramWriter, kind: ConstructKind): Value[] {
  return writers[kind](writer);
}

function scanParts(w: ProgramWriter) {
  const shape = w.shape(1);
  const parts = w.combining(shape);
  const how = { axis: w.choose.below(shape.length), exclusive: w.choose.flip(), reverse: w.choose.flip() };
  if (!w.choose.rarely(3)) return { ...parts, ...how };
  const given = w.choose.list(w.choose.below(3), () => w.element());
  const results = w.choose.list(1 + w.choose.below(2), () => w.element());
  const fn = w.function([...componentTypes(parts.operator), ...given], results);
  return { ...parts, ...how, epilogue: { function: fn, inputs: given.map((element) => w.over(element, shape)) } };
}

function binnedParts(w: ProgramWriter) {
  const shape = w.shape(1);
  const batch = w.choose.below(shape.length);
  const bins = w.size();
  const keys = w.exactly('int', w.thinned(shape.slice(0, batch + 1)));
  const parts = w.combining(shape);
  const contents = [...shape.slice(0, batch), bins, ...shape.slice(batch + 1)];
  const components = parts.operator.combine.parameters.slice(0, parts.operator.neutral.length);
  const initial = w.choose.flip() && components.map(({ type }) => w.over(type, contents));
  return { batch, bins, keys, ...(initial && { initial }), ...parts };
}

/** A small program of these parameters and results. */
function writeBody(w: ProgramWriter, parameters: readonly ArrayType[], results: readonly ArrayType[]): Program {
  const builder = new ProgramBuilder();
  const pool = parameters.map((type, i) => builder.parameter(`p${i}`, type));
  const inner = () => new ProgramWriter(builder, [...pool], w.choose, w.style);
  for (let i = w.choose.below(3); i > 0; i--) pool.push(...writeConstruct(inner(), w.choose.pick(bodyConstructs)));
  const given = results.map(({ element, shape }, i) => {
    const fn = w.function([element], [element]);
    const [value] = builder.map(fn, [inner().exactly(element, shape)]);
    return { name: `r${i}`, value: value! };
  });
  return builder.finish(given);
}

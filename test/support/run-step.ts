/** One kernel of a plan at a time, point by point; the words of engine/3-plan/plan.ts, executed. */
import { Fault } from '../../engine/0-ir/errors.ts';
import { componentTypes, type Operator } from '../../engine/0-ir/operators.ts';
import type { ScalarFunction } from '../../engine/0-ir/scalar.ts';
import type { Size } from '../../engine/0-ir/sizes.ts';
import type { Shape } from '../../engine/0-ir/types.ts';
import { withoutAxis } from '../../engine/0-ir/types.ts';
import type {
  Access,
  KernelStep,
  KeyedScanStep,
  ReduceStep,
  ScanStep,
  Source,
  StepOf,
  SweptScan,
} from '../../engine/3-plan/plan.ts';
import { evaluateScalar } from '../../engine/4-backends/reference/scalar/evaluate.ts';

export type Memory = (Float64Array | Int32Array | Uint8Array)[];

export interface Machine {
  readonly memory: Memory;
  size(size: Size): number;
  readonly backward: boolean;
}

type Point = readonly number[];

const kernels: { [K in KernelStep['kind']]: (step: StepOf<K>, m: Machine) => void } = {
  map(step, m) {
    for (const point of points(step.domain, m)) writeAll(step.outputs, point, at(step, step.inputs, point, m), m);
  },

  reduce(step, m) {
    const n = m.size(step.domain[step.axis]!);
    for (const item of points(withoutAxis(step.domain, step.axis), m)) {
      let total: number[] | undefined;
      for (let i = 0; i < n; i++) total = accumulate(step.operator, total, element(step, along(item, step.axis, i), m));
      writeAll(step.outputs, item, total ?? step.operator.neutral, m);
    }
  },

  scan(step, m) {
    const n = m.size(step.domain[step.axis]!);
    for (const item of points(withoutAxis(step.domain, step.axis), m)) {
      let total: number[] | undefined;
      for (let i = 0; i < n; i++) {
        const point = along(item, step.axis, i);
        if (step.flags && read(step.flags, point, m) !== 0) total = undefined;
        const before = total ?? step.operator.neutral;
        total = accumulate(step.operator, total, element(step, point, m));
        writeAll(step.outputs, point, shown(step, step.exclusive ? before : total, point, m), m);
      }
    }
  },

  sweep(step, m) {
    const n = m.size(step.domain[step.axis]!);
    for (const item of points(withoutAxis(step.domain, step.axis), m)) {
      const places = Array.from({ length: n }, (_, i) => along(item, step.axis, i));
      const passed = (scan: SweptScan, order: readonly Point[]) => {
        let total: number[] | undefined;
        return order.map((point) => {
          const before = total ?? scan.operator.neutral;
          total = accumulate(scan.operator, total, element(scan, point, m));
          return scan.exclusive ? before : total;
        });
      };
      const there = passed(step.along, places);
      const back = passed(step.against, [...places].reverse()).reverse();
      places.forEach((point, i) => {
        const beside = step.epilogue.inputs.map((source) => read(source, point, m));
        const given = [...(there[i] ?? []), ...(back[i] ?? []), ...beside];
        writeAll(step.outputs, point, evaluateScalar(step.epilogue.function, given), m);
      });
    }
  },

  histogram(step, m) {
    const { batch, operator } = step;
    const n = m.size(step.domain[batch]!);
    const bins = m.size(step.bins);
    for (const item of points(withoutAxis(step.domain, batch), m)) {
      const contents: (number[] | undefined)[] = Array.from({ length: bins }, (_, bin) =>
        step.initial?.map((source) => read(source, along(item, batch, bin), m)),
      );
      for (let i = 0; i < n; i++) {
        const point = along(item, batch, i);
        const key = read(step.keys, point.slice(0, batch + 1), m);
        if (key >= 0 && key < bins) contents[key] = accumulate(operator, contents[key], element(step, point, m));
      }
      contents.forEach((total, bin) => writeAll(step.outputs, along(item, batch, bin), total ?? operator.neutral, m));
    }
  },

  'keyed-scan'(step, m) {
    const { batch, operator, exclusive } = step;
    const n = m.size(step.domain[batch]!);
    const bins = m.size(step.bins);
    for (const item of points(withoutAxis(step.domain, batch), m)) {
      const contents: (number[] | undefined)[] = Array.from({ length: bins }, (_, bin) =>
        step.initial?.map((source) => read(source, along(item, batch, bin), m)),
      );
      for (let i = 0; i < n; i++) {
        const point = along(item, batch, i);
        const key = read(step.keys, point.slice(0, batch + 1), m);
        const before = contents[key];
        if (key >= 0 && key < bins) contents[key] = accumulate(operator, before, element(step, point, m));
        const components = (exclusive ? before : contents[key]) ?? operator.neutral;
        writeAll(step.running, point, shown(step, components, point, m), m);
      }
      contents.forEach((total, bin) => writeAll(step.totals, along(item, batch, bin), total ?? operator.neutral, m));
    }
  },

  recurrence(step, m) {
    const n = m.size(step.domain[step.axis]!);
    const carries = step.initial.length;
    for (const item of points(withoutAxis(step.domain, step.axis), m)) {
      let state = step.initial.map((source) => read(source, item, m));
      const fixed = step.invariants.map((source) => read(source, item, m));
      for (let i = 0; i < n; i++) {
        const point = along(item, step.axis, i);
        const results = evaluateScalar(step.step, [
          ...state,
          ...step.inputs.map((source) => read(source, point, m)),
          ...fixed,
        ]);
        state = results.slice(0, carries);
        step.outputs.forEach((output, k) => {
          const every = m.size(step.every?.[k] ?? 1);
          const [value] = results.slice(carries + k) as [number];
          if (i % every === 0) writeAll([output], along(item, step.axis, i / every), [value], m);
        });
      }
      writeAll(step.finals, item, state, m);
    }
  },

  history(step, m) {
    const n = m.size(step.domain[step.axis]!);
    const carries = step.initial.length;
    const columns = step.rows.length;
    for (const item of points(withoutAxis(step.domain, step.axis), m)) {
      let state = step.initial.map((source) => read(source, item, m));
      const fixed = step.invariants.map((source) => read(source, item, m));
      const pointOf = (row: number): Point => along(item, step.axis, step.backward ? n - 1 - row : row);
      const rowAt = (row: number): number[] => step.rows.map((access) => load(access, pointOf(row), m));
      if (step.backward)
        for (let i = 0; i < n; i++)
          writeAll(
            step.rows,
            pointOf(i),
            step.rows.map(() => 0),
            m,
          );
      for (let i = 0; i < n; i++) {
        const here = step.backward ? n - 1 - i : i;
        const point = along(item, step.axis, i);
        const given = step.inputs.map((source) => read(source, point, m));
        const places = step.asked
          ? evaluateScalar(step.asked, [...state, ...given, ...fixed]).map((most) => {
              let place = here - 1;
              while (place >= 0 && !(rowAt(place)[0]! <= most)) place--;
              return place;
            })
          : step.places.map((source) => read(source, point, m));
        writeAll(step.found, point, places, m);
        const isThere = (place: number): boolean => place >= 0 && place < here;
        const rows = step.backward
          ? rowAt(here)
          : places.flatMap((place) => (isThere(place) ? rowAt(place) : step.rows.map(() => 0)));
        const results = evaluateScalar(step.step, [...state, ...given, ...rows, ...fixed]);
        state = results.slice(0, carries);
        const left = results.slice(carries + step.outputs.length);
        writeAll(step.outputs, point, results.slice(carries), m);
        if (!step.backward) writeAll(step.rows, point, left, m);
        else
          for (const [q, place] of places.entries())
            if (isThere(place)) {
              const sums = rowAt(place).map((value, k) => value + left[q * columns + k]!);
              writeAll(step.rows, pointOf(place), sums, m);
            }
      }
      writeAll(step.finals, item, state, m);
    }
  },

  gather(step, m) {
    const rows = m.size(step.rows);
    const stride = m.size(step.rowStride);
    for (const point of points(step.domain, m)) {
      const index = read(step.indices, point, m);
      const inside = index >= 0 && index < rows;
      if (!inside && step.outside === 'fault')
        throw new Fault(`index ${index} is not in 0..${rows - 1}`, step.origin, linear(point, step.domain, m));
      const outside = step.outside === 'nan' ? NaN : 0;
      const value = inside ? m.memory[step.from.buffer]?.[address(step.from, point, m) + index * stride] : outside;
      write(step.output, point, value!, m);
    }
  },

  scatter(step, m) {
    const rows = m.size(step.rows);
    const stride = m.size(step.rowStride);
    const seen = new Set<string>();
    for (const point of points(step.domain, m)) {
      const index = read(step.indices, point, m);
      if (index < 0 || index >= rows) continue;
      const key = along(
        point.filter((_, axis) => axis !== step.axis),
        step.axis,
        index,
      ).join();
      if (step.checked && seen.has(key))
        throw new Fault(`index ${index} occurs twice`, step.origin, linear(point, step.domain, m));
      seen.add(key);
      const target = m.memory[step.target.buffer]!;
      target[address(step.target, point, m) + index * stride] = read(step.values, point, m);
    }
  },

  sort(step, m) {
    const axis = step.domain.length - 1;
    const n = m.size(step.domain[axis]!);
    for (const item of points(withoutAxis(step.domain, axis), m)) {
      const keys = Array.from({ length: n }, (_, i) => read(step.keys, [...item, i], m));
      const order = keys.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b);
      order.forEach((index, i) => write(step.output, [...item, i], index, m));
    }
  },

  matmul(step, m) {
    const n = m.size(step.domain.at(-1)!);
    for (const item of points(step.domain.slice(0, -1), m)) {
      let total = 0;
      for (let k = 0; k < n; k++) {
        const point = [...item, k];
        const product = load(step.left, point, m) * load(step.right, point, m);
        total += product;
      }
      write(step.output, item, total, m);
    }
  },
};

export function runKernel(step: KernelStep, machine: Machine): void {
  (kernels[step.kind] as (step: KernelStep, m: Machine) => void)(step, machine);
}

/** Every point of a domain in row-major order, or the other way round. */
function points(domain: Shape, m: Machine): Point[] {
  let all: Point[] = [[]];
  for (const size of domain) {
    const length = m.size(size);
    all = all.flatMap((point) => Array.from({ length }, (_, i) => [...point, i]));
  }
  return m.backward ? all.reverse() : all;
}

function along(item: Point, axis: number, i: number): Point {
  return [...item.slice(0, axis), i, ...item.slice(axis)];
}

function linear(point: Point, domain: Shape, m: Machine): number {
  return point.reduce((index, i, axis) => index * m.size(domain[axis]!) + i, 0);
}

function address(access: { offset: Size; strides: readonly Size[] }, point: Point, m: Machine): number {
  if (access.strides.length !== point.length)
    throw new Error(`an access of ${access.strides.length} strides at a point of ${point.length} axes`);
  return point.reduce((sum, i, axis) => sum + i * m.size(access.strides[axis]!), m.size(access.offset));
}

function load(access: Access, point: Point, m: Machine): number {
  const value = m.memory[access.buffer]?.[address(access, point, m)];
  if (value === undefined) throw new Error(`buffer ${access.buffer} has no element ${address(access, point, m)}`);
  return value;
}

function read(source: Source, point: Point, m: Machine): number {
  if (source.kind === 'index') return address(source, point, m);
  const at = address(source, point, m);
  if (source.kind === 'gathered') return rowOf(source, load(source, point, m), point, m);
  return at === -1 || at === m.memory[source.buffer]?.length ? NaN : load(source, point, m);
}

function rowOf({ table }: Source & { kind: 'gathered' }, row: number, point: Point, m: Machine): number {
  if (row < 0 || row >= m.size(table.rows)) return table.outside === 'nan' ? NaN : 0;
  const value = m.memory[table.buffer]?.[address(table, point, m) + row * m.size(table.stride)];
  if (value === undefined) throw new Error(`buffer ${table.buffer} has no row ${row}`);
  return value;
}

function write(access: Access, point: Point, value: number, m: Machine): void {
  load(access, point, m); // in range?
  m.memory[access.buffer]![address(access, point, m)] = value;
}

function writeAll(accesses: readonly (Access | null)[], point: Point, values: readonly number[], m: Machine): void {
  accesses.forEach((access, i) => access && write(access, point, values[i]!, m));
}

function at(step: { function: ScalarFunction }, inputs: readonly Source[], point: Point, m: Machine): number[] {
  const args = inputs.map((source) => read(source, point, m));
  return evaluateScalar(step.function, args);
}

/** The components at a point, or what the epilogue makes of them there. */
function shown(
  { epilogue }: ScanStep | KeyedScanStep,
  components: readonly number[],
  point: readonly number[],
  m: Machine,
): readonly number[] {
  if (!epilogue) return components;
  return evaluateScalar(epilogue.function, [...components, ...epilogue.inputs.map((source) => read(source, point, m))]);
}

function element(step: Pick<ReduceStep | ScanStep, 'inputs' | 'prologue'>, point: Point, m: Machine): number[] {
  const args = step.inputs.map((source) => read(source, point, m));
  return step.prologue ? evaluateScalar(step.prologue, args) : args;
}

/** The first element stands as it is: neutral elements are what nothing gives, never combined. */
function accumulate(operator: Operator, total: readonly number[] | undefined, value: readonly number[]): number[] {
  if (value.length !== componentTypes(operator).length) throw new Error('an element of another arity');
  return total ? evaluateScalar(operator.combine, [...total, ...value]) : [...value];
}

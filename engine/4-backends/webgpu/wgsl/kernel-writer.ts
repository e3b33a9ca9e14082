/** Writes one kernel: gives parameters their words, collects the functions that are called, frames the entry point. */
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import type { Size } from '../../../0-ir/sizes.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import type { Access, Source } from '../../../3-plan/plan.ts';
import { literalText, scalarFunctionText, type Use } from '../scalar.ts';
import { wgslType } from '../scalar/literal.ts';
import { preambleText, type PreambleName } from '../scalar/preamble.ts';
import { headerWords, type Kernel, type Parameter } from '../module.ts';

const component = ['x', 'y', 'z', 'w'] as const;

/** Threads of a workgroup where each does an item of its own … */
export const itemLanes = 64;
/** … and where each does several that are little work: a GPU begins no more than one or two workgroups a nanosecond. */
const pointLanes = 256;
/** Items of such a thread, whose reads are all under way before any of them is waited for. */
const pointsEach = 4;
/** Scalar operations up to which an item is so little work that it is written once for each of them … */
const littleWork = 48;
/** … and up to which a thread does several, one after the other. */
const someWork = 400;

export class KernelWriter {
  private readonly parameters: Parameter[] = [];
  private readonly used = new Set<PreambleName>();
  private readonly functions: string[] = [];

  readonly use: Use = (name) => {
    this.used.add(name);
    return name;
  };

  /** `atomic`: all reads and writes of the arena are atomic. */
  constructor(private readonly atomic = false) {}

  private static word(index: number): string {
    return `p[${index >> 2}].${component[index & 3]}`;
  }

  private parameter(parameter: Parameter): string {
    const key = JSON.stringify(parameter);
    let at = this.parameters.findIndex((known) => JSON.stringify(known) === key);
    if (at < 0) at = this.parameters.push(parameter) - 1;
    return KernelWriter.word(headerWords + at);
  }

  /** An i32 expression. */
  size(size: Size): string {
    if (typeof size === 'string') return this.parameter({ kind: 'size', size });
    return size < 0 ? `(${size})` : `${size}`;
  }

  place({ buffer, offset }: Pick<Access, 'buffer' | 'offset'>): string {
    return this.parameter({ kind: 'place', buffer, offset });
  }

  scratch(index: number): string {
    return this.parameter({ kind: 'scratch', index });
  }

  /** One of the three words that a dispatch chooses. */
  word(index: 0 | 1 | 2): string {
    return KernelWriter.word(5 + index);
  }

  /** Reads the arena's word at an i32 expression. */
  load(element: ElementType, at: string): string {
    const word = this.atomic ? `atomicLoad(&arena[${at}])` : `arena[${at}]`;
    return element === 'real' ? `bitcast<f32>(${word})` : element === 'int' ? `bitcast<i32>(${word})` : `${word} != 0u`;
  }

  store(element: ElementType, at: string, value: string): string {
    const word = element === 'bool' ? `select(0u, 1u, ${value})` : `bitcast<u32>(${value})`;
    return this.atomic ? `atomicStore(&arena[${at}], ${word});` : `arena[${at}] = ${word};`;
  }

  /** A row of a table whose first is at `first`; the range is tested before the row is used. */
  row({ element, table }: Extract<Source, { kind: 'gathered' }>, row: string, first = this.place(table)): string {
    const text = [
      `if (row < 0 || row >= ${this.size(table.rows)}) { return ${this.literal(element, table.outside === 'nan' ? NaN : 0)}; }`,
      `return ${this.load(element, `first + row * ${this.size(table.stride)}`)};`,
    ].join(' ');
    let at = this.rows.indexOf(text);
    if (at < 0) {
      at = this.rows.push(text) - 1;
      this.functions.push(`fn row${at}(row: i32, first: i32) -> ${element === 'real' ? 'f32' : 'i32'} { ${text} }`);
    }
    return `row${at}(${row}, ${first})`;
  }
  private readonly rows: string[] = [];

  literal(type: ElementType, value: number): string {
    return literalText(this.use, { type, value });
  }

  /** Declares a scalar function; what calls it. */
  function(name: string, fn: ScalarFunction): (operands: readonly string[]) => string {
    this.functions.push(scalarFunctionText(name, fn, this.use));
    return (operands) => `${name}(${operands.join(', ')})`;
  }

  declare(text: string): void {
    this.functions.push(text);
  }

  /** Records a fault at an element; the earliest step's is kept, and of its elements the first. */
  fault(element: string): string {
    this.faults = true;
    return `raise(u32(${element}));`;
  }
  private faults = false;

  /** Says that a join was in doubt, so that the run is made again with what asks for it (combine/joins.ts). */
  doubt(): string {
    this.doubts = true;
    return 'atomicStore(&fault[2], 1u);';
  }
  private doubts = false;

  /**
   * Writes what `values` are at each `item`, where `lines` have declared them. Of little work, a thread does several items, and
   * reads all before it writes any: a compiler may not move a read before a write to the same buffer.
   */
  finishPoints(
    declarations: readonly string[],
    lines: readonly string[],
    values: readonly { readonly type: ElementType; readonly value: string }[],
    stores: (values: readonly string[]) => readonly string[],
    work: number,
  ): Kernel {
    if (work > someWork || values.length === 0)
      return this.finish([...declarations, ...lines, ...stores(values.map(({ value }) => value))]);
    const indented = (statements: readonly string[]): string => statements.map((line) => `  ${line}\n`).join('');
    const members = values.map(({ type }, i) => `r${i}: ${wgslType(type)}`).join(', ');
    this.declare(`struct Point { ${members} }`);
    const made = values.map(({ value }) => value).join(', ');
    this.declare(`fn point(item: i32) -> Point {\n${indented([...declarations, ...lines])}  return Point(${made});\n}`);
    const shown = stores(values.map((_, i) => `made.r${i}`));
    this.declare(`fn show(item: i32, made: Point) {\n${indented([...declarations, ...shown])}}`);
    const all = Array.from({ length: pointsEach }, (_, i) => i);
    const at = (i: number): string => (i === 0 ? 'item' : `item + ${i * pointLanes}`);
    const stop = `min(item + ${pointsEach * pointLanes}, p[0].y)`;
    const oneByOne = `for (var at = item; at < ${stop}; at += ${pointLanes}) { show(at, point(at)); }`;
    return this.framed(
      work > littleWork
        ? [oneByOne]
        : [
            `if (${at(pointsEach - 1)} < p[0].y) {`,
            ...all.map((i) => `  let made${i} = point(${at(i)});`),
            ...all.map((i) => `  show(${at(i)}, made${i});`),
            `} else { ${oneByOne} }`,
          ],
      { lanes: pointLanes, each: pointsEach, cooperative: false },
    );
  }

  /**
   * `body` sees the i32 `item`: one for each thread, or, with `cooperativeLanes`, one for each workgroup of so many
   * lanes, and then `lane` too.
   */
  finish(body: readonly string[], cooperativeLanes?: number): Kernel {
    return this.framed(body, {
      lanes: cooperativeLanes ?? itemLanes,
      each: 1,
      cooperative: cooperativeLanes !== undefined,
    });
  }

  private framed(
    body: readonly string[],
    { lanes, each, cooperative }: Pick<Kernel, 'lanes' | 'each' | 'cooperative'>,
  ): Kernel {
    const group = 'i32(group.y * groups.x + group.x)';
    const item = cooperative ? `${group} + p[0].x` : `${group} * ${lanes * each} + i32(local) + p[0].x`;
    const text = [
      // Parameters are known only now: the block's length stands first.
      `@group(0) @binding(0) var<uniform> p: array<vec4<i32>, ${Math.ceil((headerWords + this.parameters.length) / 4)}>;`,
      `@group(0) @binding(1) var<storage, read_write> arena: array<${this.atomic ? 'atomic<u32>' : 'u32'}>;`,
      ...(this.faults || this.doubts ? [faultWords] : []),
      ...(this.faults ? [faultText] : []),
      preambleText(this.used),
      ...this.functions,
      `@compute @workgroup_size(${lanes})`,
      'fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,',
      '        @builtin(local_invocation_index) local: u32) {',
      `  let item = ${item};`,
      '  if (item >= p[0].y) { return; }',
      ...(cooperative ? ['  let lane = i32(local);'] : []),
      ...body.map((line) => `  ${line}`),
      '}',
    ];
    return {
      wgsl: `${text.filter((line) => line !== '').join('\n')}\n`,
      lanes,
      each,
      cooperative,
      parameters: this.parameters,
    };
  }
}

/** The step and the element of the first fault, and whether a join was in doubt. */
const faultWords = '@group(0) @binding(2) var<storage, read_write> fault: array<atomic<u32>, 3>;';
const faultText = `fn raise(element: u32) {
  let step = u32(p[1].x) + 1u;
  loop {
    let first = atomicCompareExchangeWeak(&fault[0], 0u, step);
    if (first.exchanged || first.old_value == step) { break; }
    if (first.old_value != 0u) { return; }
  }
  // Inverted, so that a cleared word means none.
  atomicMax(&fault[1], ~element);
}`;

/** The place of a source within its array, or the number that an index source stands for, before the strides. */
export function sourceBase(writer: KernelWriter, source: Source): string {
  return source.kind === 'index' ? writer.size(source.offset) : writer.place(source);
}

/** The source's value at a place that `sourceBase` and strides have given. */
export function readSource(writer: KernelWriter, source: Source, at: string): string {
  switch (source.kind) {
    case 'index':
      return `(${at})`;
    case 'array':
      return writer.load(source.element, at);
    case 'gathered':
      return writer.row(source, writer.load('int', at));
  }
}

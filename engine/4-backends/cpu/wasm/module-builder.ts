/** Builds a WebAssembly module: imported functions first, then an imported memory, constants and functions of its own. */
import { TooLong } from '../../../0-ir/errors.ts';
import { Bytes, text, unsigned, vector, type Code } from './encoding.ts';
import type { Callee, Expression } from './expression.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { valueTypes, type ValueType } from './instructions.ts';

const section = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const;

/** Engines take no longer function: WebAssembly JavaScript Interface, "Implementation-defined Limits". */
const mostFunctionBytes = 7_654_321;

export class ModuleBuilder {
  private readonly types: string[] = [];
  private readonly imports: number[][] = [];
  private readonly functions: { readonly type: number; readonly code: Bytes }[] = [];
  private readonly exports: number[][] = [];
  private readonly constants = new Map<string, { readonly index: number; readonly code: Code }>();
  private imported = 0;

  /** Imports come before the first function, since they take the first indices. */
  importFunction(module: string, name: string, takes: readonly ValueType[], gives: ValueType): Callee {
    if (this.functions.length > 0) throw new Error('a function is imported after one has been defined');
    this.imports.push([...text(module), ...text(name), 0x00, ...unsigned(this.type(takes, gives))]);
    return { index: this.imported++, takes, gives };
  }

  /** `pages` of 64 KiB at least, and with `sharedPages` a memory for several threads of at most so many. */
  importMemory(module: string, name: string, pages: number, sharedPages?: number): void {
    const limits =
      sharedPages === undefined ? [0x00, ...unsigned(pages)] : [0x03, ...unsigned(pages), ...unsigned(sharedPages)];
    this.imports.push([...text(module), ...text(name), 0x02, ...limits]);
  }

  /** Throws `TooLong`. */
  define(builder: FunctionBuilder, result: Expression, exportName?: string): Callee {
    const { takes, gives } = builder;
    const index = this.imported + this.functions.length;
    const code = builder.encode(result);
    if (code.length > mostFunctionBytes) throw new TooLong(code.length);
    this.functions.push({ type: this.type(takes, gives), code });
    if (exportName !== undefined) this.exports.push([...text(exportName), 0x00, ...unsigned(index)]);
    return { index, takes, gives };
  }

  /**
   * The constant, kept once for the whole module in an immutable global: reading that is one load, where engines put an
   * immediate of 16 bytes together from two registers each time.
   */
  constant({ type, code }: Expression): Expression {
    const key = code.join(' ');
    let known = this.constants.get(key);
    if (!known) {
      known = { index: this.constants.size, code: [valueTypes[type], 0x00, ...code, 0x0b] };
      this.constants.set(key, known);
    }
    return { type, code: [0x23, ...unsigned(known.index)] };
  }

  encode(): Uint8Array<ArrayBuffer> {
    const module = new Bytes().append([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
    const write = (id: number, content: Bytes) => module.append([id, unsigned(content.length)]).appendAll(content);
    const list = (id: number, items: readonly Code[]) => write(id, new Bytes().append(vector(items)));
    list(
      section.type,
      this.types.map((type) => type.split(' ').map(Number)),
    );
    list(section.import, this.imports);
    list(
      section.function,
      this.functions.map(({ type }) => unsigned(type)),
    );
    list(
      section.global,
      [...this.constants.values()].map(({ code }) => code),
    );
    list(section.export, this.exports);
    const bodies = new Bytes().append(unsigned(this.functions.length));
    for (const { code } of this.functions) bodies.append(unsigned(code.length)).appendAll(code);
    write(section.code, bodies);
    return module.all().slice();
  }

  /** The index of a function type, each listed once. */
  private type(takes: readonly ValueType[], gives: ValueType): number {
    const key = [0x60, ...unsigned(takes.length), ...takes.map((type) => valueTypes[type]), 1, valueTypes[gives]].join(
      ' ',
    );
    const known = this.types.indexOf(key);
    return known >= 0 ? known : this.types.push(key) - 1;
  }
}

/** Builds the body of one function, statement by statement. */
import { Bytes, unsigned, vector } from './encoding.ts';
import { add, get, i32, storeCode, storeLaneCode, type Expression, type Local } from './expression.ts';
import { valueTypes, type StoreName, type ValueType } from './instructions.ts';
import type { LaneStoreName } from './vector-instructions.ts';

const NO_RESULT = 0x40;
const END = 0x0b;
const MEMORY_FILL = [0xfc, 0x0b, 0x00];

/** The inside of a block or a loop; a branch to a block leaves it, one to a loop repeats it. */
export interface Label {
  readonly depth: number;
}

export class FunctionBuilder {
  readonly parameters: readonly Local[];
  private readonly locals: ValueType[] = [];
  private readonly unread: Partial<Record<ValueType, Local[]>> = {};
  /** Runs before the body: what is loaded once a call. */
  private readonly entry = new Bytes();
  private readonly body = new Bytes();
  private depth = 0;

  constructor(
    readonly takes: readonly ValueType[],
    readonly gives: ValueType,
  ) {
    this.parameters = takes.map((type, index) => ({ type, index }));
  }

  local(type: ValueType): Local {
    this.locals.push(type);
    return { type, index: this.takes.length + this.locals.length - 1 };
  }

  /** A local that holds the value from here on: one that nobody reads any more, or a new one. */
  keep(value: Expression): Local {
    const local = this.unread[value.type]?.pop() ?? this.local(value.type);
    this.set(local, value);
    return local;
  }

  /** Nobody reads this local again before it is set again: another value may be kept in it. */
  release(local: Local): void {
    (this.unread[local.type] ??= []).push(local);
  }

  /** A new local that holds the value from the function's start on; the value may not use others. */
  keepAtEntry(value: Expression): Local {
    const local = this.local(value.type);
    this.entry.append([value.code, 0x21, unsigned(local.index)]);
    return local;
  }

  set(local: Local, value: Expression): void {
    if (local.type !== value.type) throw new TypeError(`a local of type ${local.type} was set to a ${value.type}`);
    this.body.append([value.code, 0x21, unsigned(local.index)]);
  }

  /** local += amount (i32); nothing for the constant 0. */
  increase(local: Local, amount: Expression = i32(1)): void {
    if (amount.constant !== 0) this.set(local, add(get(local), amount));
  }

  store(name: StoreName, address: Expression, value: Expression, offset = 0): void {
    this.body.append(storeCode(name, address, value, offset));
  }

  /** So many bytes from an address on, all of them zero: the machine's own way past what caches hold. */
  clear(address: Expression, bytes: Expression): void {
    this.body.append([address.code, i32(0).code, bytes.code, MEMORY_FILL]);
  }

  storeLane(name: LaneStoreName, lane: number, address: Expression, vector: Expression, offset = 0): void {
    this.body.append(storeLaneCode(name, lane, address, vector, offset));
  }

  block(write: (leave: Label) => void): void {
    this.nest(0x02, write);
  }

  loop(write: (repeat: Label) => void): void {
    this.nest(0x03, write);
  }

  if(condition: Expression, then: () => void, otherwise?: () => void): void {
    this.body.append(condition.code);
    this.nest(0x04, () => {
      then();
      if (!otherwise) return;
      this.body.push(0x05);
      otherwise();
    });
  }

  branch(label: Label): void {
    this.body.append([0x0c, unsigned(this.depth - label.depth)]);
  }

  branchIf(label: Label, condition: Expression): void {
    this.body.append([condition.code, 0x0d, unsigned(this.depth - label.depth)]);
  }

  return(value: Expression): void {
    this.body.append([value.code, 0x0f]);
  }

  /** The code section's entry, of a function that ends by giving `result`. */
  encode(result: Expression): Bytes {
    if (result.type !== this.gives) throw new TypeError(`a function of type ${this.gives} gives a ${result.type}`);
    const locals = vector(this.locals.map((type) => [1, valueTypes[type]]));
    const code = new Bytes().append(locals).appendAll(this.entry).appendAll(this.body);
    return code.append([result.code, END]);
  }

  private nest(opcode: number, write: (label: Label) => void): void {
    this.body.append([opcode, NO_RESULT]);
    this.depth++;
    write({ depth: this.depth });
    this.depth--;
    this.body.push(END);
  }
}

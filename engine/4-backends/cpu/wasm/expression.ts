/**
 * Expressions: code that leaves one value of a known type on the stack. Types are checked as expressions are built, so a
 * slip in a kernel is an error at its own line and not in a validator's byte offset.
 */
import { float32Bytes, float64Bytes, signed, signed64, unsigned, type Code } from './encoding.ts';
import {
  instructions,
  memoryInstructions,
  type InstructionName,
  type LoadName,
  type StoreName,
  type ValueType,
} from './instructions.ts';
import {
  constantCode,
  laneInstructions,
  laneMemoryInstructions,
  shuffleCode,
  type LaneInstructionName,
  type LaneLoadName,
  type LaneStoreName,
} from './vector-instructions.ts';

export interface Expression {
  readonly type: ValueType;
  readonly code: Code;
  /** The value of an i32 constant; addresses are folded with it. */
  readonly constant?: number;
}

/** A local variable or parameter of the function under construction. */
export interface Local {
  readonly type: ValueType;
  readonly index: number;
}

/** What a call needs to know. */
export interface Callee {
  readonly index: number;
  readonly takes: readonly ValueType[];
  readonly gives: ValueType;
}

export function i32(value: number): Expression {
  return { type: 'i32', code: [0x41, ...signed(value)], constant: value | 0 };
}

export function i64(value: bigint): Expression {
  return { type: 'i64', code: [0x42, ...signed64(value)] };
}

export function f32(value: number): Expression {
  return { type: 'f32', code: [0x43, ...float32Bytes(value)] };
}

export function f64(value: number): Expression {
  return { type: 'f64', code: [0x44, ...float64Bytes(value)] };
}

/** A vector constant by its lanes, all of one kind. */
export function f64x2(...lanes: readonly [number, number]): Expression {
  return { type: 'v128', code: [...constantCode, ...lanes.flatMap(float64Bytes)] };
}

export function f32x4(...lanes: readonly [number, number, number, number]): Expression {
  return { type: 'v128', code: [...constantCode, ...lanes.flatMap(float32Bytes)] };
}

export function i32x4(...lanes: readonly [number, number, number, number]): Expression {
  return { type: 'v128', code: [...constantCode, ...new Uint8Array(Int32Array.from(lanes).buffer)] };
}

export function i64x2(...lanes: readonly [bigint, bigint]): Expression {
  return { type: 'v128', code: [...constantCode, ...new Uint8Array(BigInt64Array.from(lanes).buffer)] };
}

export function get(local: Local): Expression {
  return { type: local.type, code: [0x20, ...unsigned(local.index)] };
}

/** One instruction on its operands. */
export function apply(name: InstructionName, ...operands: readonly Expression[]): Expression {
  const { code, takes, gives } = instructions[name];
  checkOperands(name, operands, takes);
  return { type: gives, code: joined(operands, code) };
}

/** An instruction that reads or replaces one lane. */
export function onLane(name: LaneInstructionName, lane: number, ...operands: readonly Expression[]): Expression {
  const { code, takes, gives } = laneInstructions[name];
  checkOperands(name, operands, takes);
  return { type: gives, code: joined(operands, [...code, lane]) };
}

/** Sixteen bytes of two vectors: a number below 16 is a byte of the first, another one of the second. */
export function shuffle(a: Expression, b: Expression, bytes: readonly number[]): Expression {
  checkOperands('i8x16.shuffle', [a, b], ['v128', 'v128']);
  if (bytes.length !== 16) throw new TypeError(`i8x16.shuffle takes 16 bytes, got ${bytes.length}`);
  return { type: 'v128', code: joined([a, b], [...shuffleCode, ...bytes]) };
}

/** condition ? yes : no, both evaluated. */
export function select(yes: Expression, no: Expression, condition: Expression): Expression {
  checkOperands('select', [yes, no, condition], [yes.type, yes.type, 'i32']);
  return { type: yes.type, code: joined([yes, no, condition], [0x1b]) };
}

export function call(callee: Callee, ...operands: readonly Expression[]): Expression {
  checkOperands('call', operands, callee.takes);
  return { type: callee.gives, code: joined(operands, [0x10, ...unsigned(callee.index)]) };
}

/** The value at `address + offset`; the offset is not negative. */
export function load(name: LoadName, address: Expression, offset = 0): Expression {
  checkOperands(name, [address], ['i32']);
  const { code, type, alignment } = memoryInstructions[name];
  return { type, code: joined([address], [...code, alignment, ...unsigned(offset)]) };
}

export function storeCode(name: StoreName, address: Expression, value: Expression, offset: number): Code {
  const { code, type, alignment } = memoryInstructions[name];
  checkOperands(name, [address, value], ['i32', type]);
  return joined([address, value], [...code, alignment, ...unsigned(offset)]);
}

/** A vector with one lane read from `address + offset`. */
export function loadLane(
  name: LaneLoadName,
  lane: number,
  address: Expression,
  vector: Expression,
  offset = 0,
): Expression {
  checkOperands(name, [address, vector], ['i32', 'v128']);
  const { code, alignment } = laneMemoryInstructions[name];
  return { type: 'v128', code: joined([address, vector], [...code, alignment, ...unsigned(offset), lane]) };
}

export function storeLaneCode(
  name: LaneStoreName,
  lane: number,
  address: Expression,
  vector: Expression,
  offset: number,
): Code {
  checkOperands(name, [address, vector], ['i32', 'v128']);
  const { code, alignment } = laneMemoryInstructions[name];
  return joined([address, vector], [...code, alignment, ...unsigned(offset), lane]);
}

export function add(a: Expression, b: Expression): Expression {
  if (a.constant !== undefined && b.constant !== undefined) return i32(a.constant + b.constant);
  if (a.constant === 0) return b;
  if (b.constant === 0) return a;
  return apply('i32.add', a, b);
}

export function multiply(a: Expression, b: Expression): Expression {
  if (a.constant !== undefined && b.constant !== undefined) return i32(Math.imul(a.constant, b.constant));
  if (a.constant === 1) return b;
  if (b.constant === 1) return a;
  if (a.constant === 0 || b.constant === 0) return i32(0);
  return apply('i32.mul', a, b);
}

function joined(operands: readonly Expression[], code: Code): Code {
  return [...operands.map((operand) => operand.code), ...code];
}

function checkOperands(name: string, operands: readonly Expression[], takes: readonly ValueType[]): void {
  if (operands.length !== takes.length || operands.some((operand, i) => operand.type !== takes[i]))
    throw new TypeError(`${name} takes (${takes.join(', ')}), got (${operands.map((o) => o.type).join(', ')})`);
}

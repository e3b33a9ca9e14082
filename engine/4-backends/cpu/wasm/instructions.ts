/** Instructions without immediates: opcode, operand types, result type. A prefixed one has its opcode as several bytes. */
import { vectorInstructions, vectorMemoryInstructions } from './vector-instructions.ts';

export const valueTypes = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;

export type ValueType = keyof typeof valueTypes;

interface Instruction {
  readonly code: readonly number[];
  readonly takes: readonly ValueType[];
  readonly gives: ValueType;
}

function unary<T extends ValueType>(type: T, code: number) {
  return { code: [code], takes: [type], gives: type };
}

function binary<T extends ValueType>(type: T, code: number) {
  return { code: [code], takes: [type, type], gives: type };
}

function comparison<T extends ValueType>(type: T, code: number) {
  return { code: [code], takes: [type, type], gives: 'i32' as const };
}

function conversion<F extends ValueType, T extends ValueType>(from: F, to: T, ...code: number[]) {
  return { code, takes: [from], gives: to };
}

export const instructions = {
  'i32.eqz': unary('i32', 0x45),
  'i32.eq': comparison('i32', 0x46),
  'i32.ne': comparison('i32', 0x47),
  'i32.lt_s': comparison('i32', 0x48),
  'i32.lt_u': comparison('i32', 0x49),
  'i32.gt_s': comparison('i32', 0x4a),
  'i32.gt_u': comparison('i32', 0x4b),
  'i32.le_s': comparison('i32', 0x4c),
  'i32.le_u': comparison('i32', 0x4d),
  'i32.ge_s': comparison('i32', 0x4e),
  'i32.ge_u': comparison('i32', 0x4f),
  'f32.eq': comparison('f32', 0x5b),
  'f32.ne': comparison('f32', 0x5c),
  'f32.lt': comparison('f32', 0x5d),
  'f32.gt': comparison('f32', 0x5e),
  'f32.le': comparison('f32', 0x5f),
  'f32.ge': comparison('f32', 0x60),
  'f64.eq': comparison('f64', 0x61),
  'f64.ne': comparison('f64', 0x62),
  'f64.lt': comparison('f64', 0x63),
  'f64.gt': comparison('f64', 0x64),
  'f64.le': comparison('f64', 0x65),
  'f64.ge': comparison('f64', 0x66),
  'i32.clz': unary('i32', 0x67),
  'i32.add': binary('i32', 0x6a),
  'i32.sub': binary('i32', 0x6b),
  'i32.mul': binary('i32', 0x6c),
  'i32.div_s': binary('i32', 0x6d),
  'i32.div_u': binary('i32', 0x6e),
  'i32.rem_s': binary('i32', 0x6f),
  'i32.rem_u': binary('i32', 0x70),
  'i32.and': binary('i32', 0x71),
  'i32.or': binary('i32', 0x72),
  'i32.xor': binary('i32', 0x73),
  'i32.shl': binary('i32', 0x74),
  'i32.shr_s': binary('i32', 0x75),
  'i32.shr_u': binary('i32', 0x76),
  'i64.eqz': { code: [0x50], takes: ['i64'], gives: 'i32' },
  'i64.eq': comparison('i64', 0x51),
  'i64.ne': comparison('i64', 0x52),
  'i64.lt_s': comparison('i64', 0x53),
  'i64.lt_u': comparison('i64', 0x54),
  'i64.gt_s': comparison('i64', 0x55),
  'i64.add': binary('i64', 0x7c),
  'i64.sub': binary('i64', 0x7d),
  'i64.mul': binary('i64', 0x7e),
  'i64.and': binary('i64', 0x83),
  'i64.or': binary('i64', 0x84),
  'i64.xor': binary('i64', 0x85),
  'i64.shl': binary('i64', 0x86),
  'i64.shr_s': binary('i64', 0x87),
  'i64.shr_u': binary('i64', 0x88),
  'f32.abs': unary('f32', 0x8b),
  'f32.neg': unary('f32', 0x8c),
  'f32.ceil': unary('f32', 0x8d),
  'f32.floor': unary('f32', 0x8e),
  'f32.trunc': unary('f32', 0x8f),
  'f32.nearest': unary('f32', 0x90),
  'f32.sqrt': unary('f32', 0x91),
  'f32.add': binary('f32', 0x92),
  'f32.sub': binary('f32', 0x93),
  'f32.mul': binary('f32', 0x94),
  'f32.div': binary('f32', 0x95),
  'f32.copysign': binary('f32', 0x98),
  'f64.abs': unary('f64', 0x99),
  'f64.neg': unary('f64', 0x9a),
  'f64.ceil': unary('f64', 0x9b),
  'f64.floor': unary('f64', 0x9c),
  'f64.trunc': unary('f64', 0x9d),
  'f64.nearest': unary('f64', 0x9e),
  'f64.sqrt': unary('f64', 0x9f),
  'f64.add': binary('f64', 0xa0),
  'f64.sub': binary('f64', 0xa1),
  'f64.mul': binary('f64', 0xa2),
  'f64.div': binary('f64', 0xa3),
  'f64.copysign': binary('f64', 0xa6),
  'i32.wrap_i64': conversion('i64', 'i32', 0xa7),
  'i64.extend_i32_s': conversion('i32', 'i64', 0xac),
  'i64.extend_i32_u': conversion('i32', 'i64', 0xad),
  'f32.convert_i32_s': conversion('i32', 'f32', 0xb2),
  'f32.demote_f64': conversion('f64', 'f32', 0xb6),
  'f64.convert_i32_s': conversion('i32', 'f64', 0xb7),
  'f64.convert_i64_s': conversion('i64', 'f64', 0xb9),
  'f64.promote_f32': conversion('f32', 'f64', 0xbb),
  'i32.reinterpret_f32': conversion('f32', 'i32', 0xbc),
  'i64.reinterpret_f64': conversion('f64', 'i64', 0xbd),
  'f32.reinterpret_i32': conversion('i32', 'f32', 0xbe),
  'f64.reinterpret_i64': conversion('i64', 'f64', 0xbf),
  'i32.trunc_sat_f32_s': conversion('f32', 'i32', 0xfc, 0),
  'i32.trunc_sat_f64_s': conversion('f64', 'i32', 0xfc, 2),
  /** Wakes so many that wait at an address; gives how many there were. */
  'memory.atomic.notify': { code: [0xfe, 0x00, 2, 0], takes: ['i32', 'i32'], gives: 'i32' },
  /** Waits while the word at an address holds a value, for so many nanoseconds at most. */
  'memory.atomic.wait32': { code: [0xfe, 0x01, 2, 0], takes: ['i32', 'i32', 'i64'], gives: 'i32' },
  ...vectorInstructions,
} as const satisfies Record<string, Instruction>;

export type InstructionName = keyof typeof instructions;

/** Loads and stores: opcode, the type on the stack, log₂ of the natural alignment. */
export const memoryInstructions = {
  'i32.load': { code: [0x28], type: 'i32', alignment: 2 },
  'f32.load': { code: [0x2a], type: 'f32', alignment: 2 },
  'f64.load': { code: [0x2b], type: 'f64', alignment: 3 },
  'i32.load8_u': { code: [0x2d], type: 'i32', alignment: 0 },
  'i32.store': { code: [0x36], type: 'i32', alignment: 2 },
  'f32.store': { code: [0x38], type: 'f32', alignment: 2 },
  'f64.store': { code: [0x39], type: 'f64', alignment: 3 },
  'i32.store8': { code: [0x3a], type: 'i32', alignment: 0 },
  'i64.load': { code: [0x29], type: 'i64', alignment: 3 },
  'i64.store': { code: [0x37], type: 'i64', alignment: 3 },
  'i32.atomic.load': { code: [0xfe, 0x10], type: 'i32', alignment: 2 },
  'i32.atomic.store': { code: [0xfe, 0x17], type: 'i32', alignment: 2 },
  ...vectorMemoryInstructions,
} as const satisfies Record<string, { code: readonly number[]; type: ValueType; alignment: number }>;

type MemoryInstruction = keyof typeof memoryInstructions;
export type LoadName = Extract<MemoryInstruction, `${string}load${string}`>;
export type StoreName = Extract<MemoryInstruction, `${string}store${string}`>;

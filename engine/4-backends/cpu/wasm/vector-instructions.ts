/** The vector instructions without immediates (fixed-width SIMD, prefix 0xfd) that generated code uses. */
import { unsigned } from './encoding.ts';

interface VectorInstruction {
  readonly code: readonly number[];
  readonly takes: readonly ('v128' | 'i32' | 'i64' | 'f32' | 'f64')[];
  readonly gives: 'v128' | 'i32';
}

function vectorCode(opcode: number): number[] {
  return [0xfd, ...unsigned(opcode)];
}

function unary(opcode: number) {
  return { code: vectorCode(opcode), takes: ['v128'], gives: 'v128' } as const;
}

function binary(opcode: number) {
  return { code: vectorCode(opcode), takes: ['v128', 'v128'], gives: 'v128' } as const;
}

function splat<T extends 'i32' | 'i64' | 'f32' | 'f64'>(type: T, opcode: number) {
  return { code: vectorCode(opcode), takes: [type], gives: 'v128' } as const;
}

/** The count of places is an i32, the same for every lane. */
function shift(opcode: number) {
  return { code: vectorCode(opcode), takes: ['v128', 'i32'], gives: 'v128' } as const;
}

function test(opcode: number) {
  return { code: vectorCode(opcode), takes: ['v128'], gives: 'i32' } as const;
}

export const vectorInstructions = {
  'i32x4.splat': splat('i32', 0x11),
  'i64x2.splat': splat('i64', 0x12),
  'f32x4.splat': splat('f32', 0x13),
  'f64x2.splat': splat('f64', 0x14),

  'i32x4.eq': binary(0x37),
  'i32x4.ne': binary(0x38),
  'i32x4.lt_s': binary(0x39),
  'i32x4.lt_u': binary(0x3a),
  'i32x4.gt_s': binary(0x3b),
  'i32x4.gt_u': binary(0x3c),
  'i32x4.le_s': binary(0x3d),
  'i32x4.ge_s': binary(0x3f),
  'f32x4.eq': binary(0x41),
  'f32x4.ne': binary(0x42),
  'f32x4.lt': binary(0x43),
  'f32x4.gt': binary(0x44),
  'f32x4.le': binary(0x45),
  'f32x4.ge': binary(0x46),
  'f64x2.eq': binary(0x47),
  'f64x2.ne': binary(0x48),
  'f64x2.lt': binary(0x49),
  'f64x2.gt': binary(0x4a),
  'f64x2.le': binary(0x4b),
  'f64x2.ge': binary(0x4c),

  'v128.not': unary(0x4d),
  'v128.and': binary(0x4e),
  /** a AND NOT b */
  'v128.andnot': binary(0x4f),
  'v128.or': binary(0x50),
  'v128.xor': binary(0x51),
  /** The first operand's bits where the third has ones, the second's elsewhere. */
  'v128.bitselect': { code: vectorCode(0x52), takes: ['v128', 'v128', 'v128'], gives: 'v128' },
  'v128.any_true': test(0x53),
  'i32x4.all_true': test(0xa3),
  'i64x2.all_true': test(0xc3),
  'i32x4.bitmask': test(0xa4),
  'i64x2.bitmask': test(0xc4),

  'f32x4.demote_f64x2_zero': unary(0x5e),
  'f64x2.promote_low_f32x4': unary(0x5f),
  'i64x2.extend_low_i32x4_s': unary(0xc7),
  'i64x2.extend_low_i32x4_u': unary(0xc9),
  'i32x4.trunc_sat_f32x4_s': unary(0xf8),
  'f32x4.convert_i32x4_s': unary(0xfa),
  'i32x4.trunc_sat_f64x2_s_zero': unary(0xfc),
  'f64x2.convert_low_i32x4_s': unary(0xfe),

  'i32x4.abs': unary(0xa0),
  'i32x4.neg': unary(0xa1),
  'i32x4.shl': shift(0xab),
  'i32x4.shr_s': shift(0xac),
  'i32x4.shr_u': shift(0xad),
  'i32x4.add': binary(0xae),
  'i32x4.sub': binary(0xb1),
  'i32x4.mul': binary(0xb5),
  'i32x4.min_s': binary(0xb6),
  'i32x4.max_s': binary(0xb8),
  'i64x2.neg': unary(0xc1),
  'i64x2.shl': shift(0xcb),
  'i64x2.shr_s': shift(0xcc),
  'i64x2.shr_u': shift(0xcd),
  'i64x2.add': binary(0xce),
  'i64x2.sub': binary(0xd1),
  'i64x2.mul': binary(0xd5),
  'i64x2.eq': binary(0xd6),
  'i64x2.ne': binary(0xd7),
  'i64x2.lt_s': binary(0xd8),
  'i64x2.gt_s': binary(0xd9),
  'i64x2.le_s': binary(0xda),
  'i64x2.ge_s': binary(0xdb),

  'f32x4.ceil': unary(0x67),
  'f32x4.floor': unary(0x68),
  'f32x4.trunc': unary(0x69),
  'f32x4.nearest': unary(0x6a),
  'f32x4.abs': unary(0xe0),
  'f32x4.neg': unary(0xe1),
  'f32x4.sqrt': unary(0xe3),
  'f32x4.add': binary(0xe4),
  'f32x4.sub': binary(0xe5),
  'f32x4.mul': binary(0xe6),
  'f32x4.div': binary(0xe7),
  'f32x4.min': binary(0xe8),
  'f32x4.max': binary(0xe9),
  'f32x4.pmin': binary(0xea),
  'f32x4.pmax': binary(0xeb),

  'f64x2.ceil': unary(0x74),
  'f64x2.floor': unary(0x75),
  'f64x2.trunc': unary(0x7a),
  'f64x2.nearest': unary(0x94),
  'f64x2.abs': unary(0xec),
  'f64x2.neg': unary(0xed),
  'f64x2.sqrt': unary(0xef),
  'f64x2.add': binary(0xf0),
  'f64x2.sub': binary(0xf1),
  'f64x2.mul': binary(0xf2),
  'f64x2.div': binary(0xf3),
  'f64x2.min': binary(0xf4),
  'f64x2.max': binary(0xf5),
  'f64x2.pmin': binary(0xf6),
  'f64x2.pmax': binary(0xf7),
} as const satisfies Record<string, VectorInstruction>;

/** Of one lane, whose number is an immediate. */
export const laneInstructions = {
  'i32x4.extract_lane': { code: vectorCode(0x1b), takes: ['v128'], gives: 'i32' },
  'i32x4.replace_lane': { code: vectorCode(0x1c), takes: ['v128', 'i32'], gives: 'v128' },
  'i64x2.extract_lane': { code: vectorCode(0x1d), takes: ['v128'], gives: 'i64' },
  'i64x2.replace_lane': { code: vectorCode(0x1e), takes: ['v128', 'i64'], gives: 'v128' },
  'f32x4.extract_lane': { code: vectorCode(0x1f), takes: ['v128'], gives: 'f32' },
  'f32x4.replace_lane': { code: vectorCode(0x20), takes: ['v128', 'f32'], gives: 'v128' },
  'f64x2.extract_lane': { code: vectorCode(0x21), takes: ['v128'], gives: 'f64' },
  'f64x2.replace_lane': { code: vectorCode(0x22), takes: ['v128', 'f64'], gives: 'v128' },
} as const;

export type LaneInstructionName = keyof typeof laneInstructions;

/** A load into one lane of a vector, and a store of one lane. */
export const laneMemoryInstructions = {
  'v128.load32_lane': { code: vectorCode(0x56), alignment: 2 },
  'v128.load64_lane': { code: vectorCode(0x57), alignment: 3 },
  'v128.store32_lane': { code: vectorCode(0x5a), alignment: 2 },
  'v128.store64_lane': { code: vectorCode(0x5b), alignment: 3 },
} as const;

export type LaneLoadName = Extract<keyof typeof laneMemoryInstructions, `${string}load${string}`>;
export type LaneStoreName = Extract<keyof typeof laneMemoryInstructions, `${string}store${string}`>;

/** Loads and stores of vectors. Alignment is a hint; vectors are read at any multiple of their lanes' bytes. */
export const vectorMemoryInstructions = {
  'v128.load': { code: vectorCode(0x00), type: 'v128', alignment: 4 },
  'v128.load32x2_s': { code: vectorCode(0x05), type: 'v128', alignment: 3 },
  'v128.load32_splat': { code: vectorCode(0x09), type: 'v128', alignment: 2 },
  'v128.load64_splat': { code: vectorCode(0x0a), type: 'v128', alignment: 3 },
  'v128.load32_zero': { code: vectorCode(0x5c), type: 'v128', alignment: 2 },
  'v128.load64_zero': { code: vectorCode(0x5d), type: 'v128', alignment: 3 },
  'v128.store': { code: vectorCode(0x0b), type: 'v128', alignment: 4 },
} as const;

/** The opcodes whose sixteen immediate bytes are a value or a choice of lanes. */
export const constantCode = vectorCode(0x0c);
export const shuffleCode = vectorCode(0x0d);

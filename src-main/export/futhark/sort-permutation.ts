/** `argsort`, which is written once into the program. */
import { type Writer, tabulated } from './place.ts';

export const sortPermutation: Writer<'sort-permutation'> = (c, place) => {
  const shape = place.shape(c.keys.type.shape);
  const n = shape.at(-1)!;
  return [
    tabulated(shape.slice(0, -1), (across) => `argsort (tabulate ${n} (\\t -> ${place.at(c.keys, [...across, 't'])}))`),
  ];
};

/** Stable, digit by digit. */
export const argsort = `def argsort [n] (keys: [n]i32): [n]i32 =
  let digits = map (\\key -> u32.i32 key ^ 0x80000000u32) keys
  in loop order = map i32.i64 (iota n) for bit < 32 do
    let ones = map (\\i -> i64.u32 ((digits[i] >> u32.i32 bit) & 1u32)) order
    let zeros = map (\\one -> 1 - one) ones
    let before = map2 (-) (scan (+) 0 zeros) zeros
    let after = map2 (-) (scan (+) 0 ones) ones
    let low = i64.sum zeros
    let places = map3 (\\one b a -> if one == 0 then b else low + a) ones before after
    in scatter (copy order) places order`;

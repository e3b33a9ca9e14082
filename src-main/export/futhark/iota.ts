/** 0, 1, 2, … as i32. */
import type { Writer } from './place.ts';

export const iota: Writer<'iota'> = (c, place) => [`tabulate ${place.size(c.length)} (\\i -> i32.i64 i)`];

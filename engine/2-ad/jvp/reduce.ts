/** y = reduce(⊙, xs)  ⇒  (y, ẏ) = reduce(⊙̇, xs, ẋs), ⊙̇ on dual numbers. */
import type { JvpRule } from '../rule.ts';
import { pushCombining } from './combining.ts';

export const reduce: JvpRule<'reduce'> = (b, construct, tangents) => pushCombining(b, construct, tangents);

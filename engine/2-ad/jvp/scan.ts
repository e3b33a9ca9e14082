/** ys = scan(⊙, xs)  ⇒  (ys, ẏs) = scan(⊙̇, xs, ẋs), ⊙̇ on dual numbers. */
import type { JvpRule } from '../rule.ts';
import { pushCombining } from './combining.ts';

export const scan: JvpRule<'scan'> = (b, construct, tangents) => pushCombining(b, construct, tangents);

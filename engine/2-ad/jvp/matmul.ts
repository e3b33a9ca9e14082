/** Y = L·R  ⇒  Ẏ = L̇·R + L·Ṙ. */
import type { JvpRule } from '../rule.ts';

export const matmul: JvpRule<'matmul'> = (b, construct, [left, right]) => {
  const results = b.emit(construct);
  const terms = [
    ...(left ? [b.matmul(left, construct.right)] : []),
    ...(right ? [b.matmul(construct.left, right)] : []),
  ];
  return { results, tangents: terms.length === 0 ? [] : [terms.reduce((total, term) => b.apply('add', total, term))] };
};

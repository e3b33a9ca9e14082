/** ys = into with rows is ← vs  ⇒  ẏs = intȯ with rows is ← v̇s. */
import { zerosLike } from '../layout.ts';
import type { JvpRule } from '../rule.ts';

export const scatter: JvpRule<'scatter'> = (b, construct, [into, , values]) => ({
  results: b.emit(construct),
  tangents: b.emit({
    ...construct,
    into: into ?? zerosLike(b, construct.into),
    values: values ?? zerosLike(b, construct.values),
    checked: false,
  }),
});

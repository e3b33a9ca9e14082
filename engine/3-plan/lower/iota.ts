import type { ConstructOf } from '../../0-ir/program.ts';
import type { Site } from '../lowering.ts';
import type { Located } from '../view.ts';

/** iota(n)[i] = i: the index itself, in no buffer. */
export function lowerIota({ length }: ConstructOf<'iota'>, site: Site): Located[] {
  const { home } = site;
  return [{ kind: 'view', element: 'int', shape: [length], home, base: 'index', offset: 0, strides: [1] }];
}

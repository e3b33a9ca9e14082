/** A number as it is written. */
import { futharkNumber } from './scalar.ts';
import type { Writer } from './place.ts';

export const literal: Writer<'literal'> = (c) => [futharkNumber(c.value, c.element)];

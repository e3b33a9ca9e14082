/** `scan` along the axis, line by line. */
import { type Writer, withEpilogue } from './place.ts';
import { scanned } from './scanned.ts';

export const scan: Writer<'scan'> = (c, place) => withEpilogue(c, scanned(c, place), place);

/** `scan` over pairs of flag and element, after which the flags are dropped. */
import { type Writer, withEpilogue } from './place.ts';
import { scanned } from './scanned.ts';

export const segmentedScan: Writer<'segmented-scan'> = (c, place) => withEpilogue(c, scanned(c, place), place);

/** What each kind of block does, in small: bars that go in, bars that come out; or a drawing where bars cannot say it. */
import type { Document } from '../../../models/format/document.ts';

type BlockKind = Document['blocks'][number]['kind'];

/** Heights up to 10; a bar of the second tone has another key, or is what the first is set against. */
type Bar = number | readonly [height: number, tone: 'second'];

export interface BlockPicture {
  readonly before?: readonly Bar[];
  readonly after?: readonly Bar[];
  /** Strokes on a field of 88 by 28; `accent` is what the block makes. */
  readonly lines?: string;
  readonly accent?: string;
}

const second = (height: number): Bar => [height, 'second'];

export const blockPictures: { readonly [K in BlockKind]: BlockPicture } = {
  column: { lines: 'M26 4.5H62V24.5H26zM26 10.5H62M26 17.5H62M38 4.5V24.5', accent: 'M50 4.5V24.5' },
  parameter: { lines: 'M20 14.5H68M20 11V18M68 11V18', accent: 'M48 14.5A4 4 0 1 1 40 14.5A4 4 0 1 1 48 14.5z' },
  constant: { after: [7] },
  range: { after: [1.5, 3.5, 5.5, 7.5, 9.5] },
  map: { before: [2, 6, 3, 8], after: [1, 5, 1.7, 9.5] },
  reduce: { before: [2, 3, 1, 3.5], after: [9.5] },
  scan: { before: [2, 3, 1, 3.5], after: [2, 5, 6, 9.5] },
  histogram: { before: [3, second(2), 4, second(1.5)], after: [7, second(3.5)] },
  recurrence: { before: [1.2], after: [1.2, 2.4, 4.8, 9.6] },
  ode: { lines: 'M14 3V24.5H76', accent: 'M14 6C24 20 36 23 74 23.5' },
  filter: { before: [6, second(2), 8, second(3)], after: [6, 8] },
  interpolate: { lines: 'M16 21L34 9L54 14L74 5', accent: 'M46 12A2.5 2.5 0 1 1 41 12A2.5 2.5 0 1 1 46 12z' },
  gather: { before: [3, second(8)], after: [3, second(8), second(8), 3] },
  scatter: { before: [3, 3, 3, 3], after: [3, second(8), 3, second(6)] },
  reverse: { before: [2, 4, 6, 8], after: [8, 6, 4, 2] },
  slice: { before: [second(2), 7, 5, 4, second(8)], after: [7, 5, 4] },
  shift: { before: [3, 6, 8, 5], after: [second(0.6), 3, 6, 8] },
  transpose: {
    lines: 'M12.5 10.5H36.5V18.5H12.5zM20.5 10.5V18.5M28.5 10.5V18.5M42 14.5H48',
    accent: 'M58.5 2.5H66.5V26.5H58.5zM58.5 10.5H66.5M58.5 18.5H66.5',
  },
  reshape: {
    lines: 'M8.5 10.5H40.5V18.5H8.5zM16.5 10.5V18.5M24.5 10.5V18.5M32.5 10.5V18.5M46 14.5H52',
    accent: 'M60.5 6.5H76.5V22.5H60.5zM68.5 6.5V22.5M60.5 14.5H76.5',
  },
  concatenate: { before: [4, 6], after: [4, 6, second(8), second(3)] },
  matmul: {
    lines: 'M8.5 4.5H28.5V24.5H8.5zM8.5 14.5H28.5M34.5 4.5H54.5V24.5H34.5zM44.5 4.5V24.5',
    accent: 'M60.5 4.5H80.5V24.5H60.5zM60.5 14.5H80.5M70.5 4.5V24.5',
  },
  'least-squares': { lines: 'M18 9V16.5M32 21V17M46 9.5V15M60 16.5V12', accent: 'M10 15C30 20 50 16 78 6' },
  likelihood: { lines: 'M10 24.5H78M50 24.5V13', accent: 'M12 24C32 24 34 4 44 4S56 24 76 24' },
  quantity: { lines: 'M18 14.5H70M18 9V20M70 9V20', accent: 'M44 8.5L50 14.5L44 20.5L38 14.5z' },
  group: {
    lines: 'M20.5 3.5H67.5V25.5H20.5z',
    accent: 'M27.5 8.5H38.5V15.5H27.5zM49.5 13.5H60.5V20.5H49.5zM38.5 12H44V17H49.5',
  },
};

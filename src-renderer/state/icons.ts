/** Icons as the strokes of a 16 px grid: 1.25 wide, round ends, no fill. The kinds of blocks and what the window does. */
export interface Icon {
  readonly path: string;
  /** Drawn filled: a dot that no stroke can be. */
  readonly dot?: string;
}

const drawn = {
  column: {
    path: 'M4 2.5h8A1.5 1.5 0 0 1 13.5 4v8A1.5 1.5 0 0 1 12 13.5H4A1.5 1.5 0 0 1 2.5 12V4A1.5 1.5 0 0 1 4 2.5zM2.5 6h11M6.5 6v7.5',
  },
  parameter: { path: 'M1.5 8h4M10.5 8h4M10.5 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z' },
  constant: { path: 'M4 6h8M4 10h8' },
  range: { path: 'M2 8h12M2 5.5v5M14 5.5v5M6 7v2M10 7v2' },
  map: { path: 'M11.5 3.2c-2-.9-3.2.1-3.6 2L6.4 12c-.3 1.4-1.2 1.9-2.4 1.3M5 7h5' },
  quantity: { path: 'M2 8h3.5M10.5 8H14M2 5.5v5M14 5.5v5M8 5.5L10.5 8 8 10.5 5.5 8z' },
  reduce: { path: 'M3 3l5 6 5-6M8 3v10.5' },
  scan: { path: 'M2 13.5h3v-3.5h3.5V6.5H12V3h2' },
  histogram: { path: 'M2 13.5h12M4 13.5V10M7 13.5V4M10 13.5V6.5M13 13.5V11' },
  recurrence: { path: 'M12.5 5.5A5.3 5.3 0 1 0 13.3 8.8M13 2.5v3.2H9.8' },
  filter: { path: 'M2.5 3h11L9.5 8.2v4.3l-3 1.2V8.2z' },
  gather: { path: 'M2.5 3.5h3M2.5 8h3M2.5 12.5h3M8 8h5.5M11 5.5 13.5 8 11 10.5' },
  scatter: { path: 'M10.5 3.5h3M10.5 8h3M10.5 12.5h3M2.5 8H8M5.5 5.5 8 8l-2.5 2.5' },
  shape: { path: 'M2.5 2.5h4.5v4.5H2.5zM9 9h4.5v4.5H9zM9.5 4.5h3.5v3M6.5 11.5H3v-3' },
  matmul: { path: 'M4.5 2.5H2.5v11h2M11.5 2.5h2v11h-2M5.5 8h.01M8 8h.01M10.5 8h.01' },
  objective: {
    path: 'M13.6 8A5.6 5.6 0 1 1 2.4 8a5.6 5.6 0 0 1 11.2 0z',
    dot: 'M9.8 8A1.8 1.8 0 1 1 6.2 8a1.8 1.8 0 0 1 3.6 0z',
  },
  group: {
    path: 'M4 5.5h5A1.5 1.5 0 0 1 10.5 7v5A1.5 1.5 0 0 1 9 13.5H4A1.5 1.5 0 0 1 2.5 12V7A1.5 1.5 0 0 1 4 5.5zM5.5 3.5v-.2c0-.5.4-.8.8-.8h6.4c.5 0 .8.3.8.8v6.4c0 .5-.3.8-.8.8h-.2',
  },
  unknown: { path: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M8 12.5h.01' },
  lasso: {
    path: 'M5 9.6C3.3 9 2.3 7.9 2.3 6.6c0-2.2 2.6-4 5.8-4s5.7 1.8 5.7 4-2.5 4-5.7 4c-.6 0-1.1-.1-1.6-.2M6.5 10.6a1.5 1.5 0 1 1-3-.4 1.5 1.5 0 0 1 3 .4zM5.3 11.8c.2 1-.3 1.7-1.3 2',
  },
  style: { path: 'M2.5 2.5v11h11M5.5 10.5l2.5-3.5 2 2 3.5-5.5' },
  search: { path: 'M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10 10l3.5 3.5' },
  undo: { path: 'M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H7' },
  redo: { path: 'm10.5 3 3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h3' },
  theme: { path: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0z', dot: 'M8 2.5v11A5.5 5.5 0 0 0 8 2.5' },
  plus: { path: 'M8 3v10M3 8h10' },
  minus: { path: 'M3 8h10' },
  'show-all': { path: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10' },
  arrange: {
    path: 'M2.5 6h2a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM11.5 2h2a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM11.5 10h2a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1v-2a1 1 0 0 1 1-1zM5.5 8H8m0 0V4h2.5M8 8v4h2.5',
  },
  link: { path: 'M7 4.8l1.3-1.3a2.8 2.8 0 0 1 4 4L11 8.8M9 11.2l-1.3 1.3a2.8 2.8 0 0 1-4-4L5 7.2M6.3 9.7l3.4-3.4' },
  down: { path: 'm4 6 4 4 4-4' },
  right: { path: 'm6 4 4 4-4 4' },
  check: { path: 'm3 8.5 3.2 3.2L13 4.8' },
  warning: { path: 'M8 2.3 14.3 13.5H1.7zM8 6.5v3.2M8 11.6v.1' },
  fault: { path: 'M13.8 8A5.8 5.8 0 1 1 2.2 8a5.8 5.8 0 0 1 11.6 0zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4' },
  cross: { path: 'm4 4 8 8M12 4l-8 8' },
  table: {
    path: 'M3.5 3h9A1.5 1.5 0 0 1 14 4.5v7a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 11.5v-7A1.5 1.5 0 0 1 3.5 3zM2 6.5h12M2 9.8h12M6.5 3v10',
  },
  book: {
    path: 'M2.5 3.5h4.2c.8 0 1.3.5 1.3 1.3v8.7c0-.8-.5-1.3-1.3-1.3H2.5zM13.5 3.5H9.3c-.8 0-1.3.5-1.3 1.3M13.5 3.5v8.7H9.3c-.8 0-1.3.5-1.3 1.3',
  },
  blank: { path: 'M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3' },
  more: { path: 'M3.5 8h.01M8 8h.01M12.5 8h.01' },
  chip: {
    path: 'M5 4h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM6 1.5V4M10 1.5V4M6 12v2.5M10 12v2.5M1.5 6H4M1.5 10H4M12 6h2.5M12 10h2.5',
  },
  open: { path: 'M2 12.5v-9h4l1.5 2H13v2M2 12.5h10l2-5H4z' },
  save: { path: 'M3 2.5h8l2.5 2.5v8h-11v-10zM5 2.5v3.5h5V2.5M5 13V9h6v4' },
  stop: { path: 'M4 4h8v8H4z' },
  pause: { path: 'M5.5 3.5v9M10.5 3.5v9' },
  play: { path: 'M5 3l7.5 5L5 13z' },
  home: { path: 'M2.5 7.5 8 2.5l5.5 5M4 6.5v7h8v-7' },
  collapse: { path: 'M2.5 3.5h11v9h-11zM2.5 9.5h11' },
  pin: { path: 'M5.5 2.5h5M6.5 2.5v4.2L4.5 9h7l-2-2.3V2.5M8 9v4.5' },
  frame: { path: 'M4.5 1.5v13M11.5 1.5v13M1.5 4.5h13M1.5 11.5h13' },
  note: { path: 'M2.5 3h11v7.5l-3 3h-8zM13.5 10.5h-3v3M5 6h6M5 8.5h4' },
  copy: { path: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3' },
  cut: {
    path: 'M5.8 11.5a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0zM13.8 11.5a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0zM4.8 10 11 2.5M11.2 10 5 2.5',
  },
  paste: { path: 'M6 3.5H3.5v10h9v-10H10M6 2.5h4v2.5H6zM6 8h4M6 10.5h4' },
  wire: {
    path: 'M4.5 4a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0zM14.5 12a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0zM4.5 4H8v8h3.5',
  },
  unpack: { path: 'M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM9.5 6.5 13 3M10.5 3H13v2.5M6.5 9.5 3 13M3 10.5V13h2.5' },
  'align-left': { path: 'M2.5 2v12M4.5 4.5h8v2.5h-8zM4.5 9.5h5V12h-5z' },
  'align-center': { path: 'M8 2v2.5M8 7v2.5M8 12v2M4 4.5h8V7H4zM5.5 9.5h5V12h-5z' },
  'align-right': { path: 'M13.5 2v12M3.5 4.5h8V7h-8zM6.5 9.5h5V12h-5z' },
  'align-top': { path: 'M2 2.5h12M4.5 4.5H7v8H4.5zM9.5 4.5H12v5H9.5z' },
  'align-middle': { path: 'M2 8h2.5M7 8h2.5M12 8h2M4.5 4H7v8H4.5zM9.5 5.5H12v5H9.5z' },
  'align-bottom': { path: 'M2 13.5h12M4.5 3.5H7v8H4.5zM9.5 6.5H12v5H9.5z' },
  'distribute-across': { path: 'M2.5 2v12M13.5 2v12M6.5 4.5h3v7h-3z' },
  'distribute-down': { path: 'M2 2.5h12M2 13.5h12M4.5 6.5h7v3h-7z' },
  adjoint: {
    path: 'M10.5 7.6c-.6-1-1.4-1.5-2.5-1.5a3.2 3.2 0 0 0 0 6.4c2.2 0 3.4-1.8 3.4-4.6S10 2.7 7.6 2.7c-.9 0-1.7.3-2.3.9',
  },
} satisfies Readonly<Record<string, Icon>>;

export type IconId = keyof typeof drawn;

export const icons: { readonly [K in IconId]: Icon } = drawn;

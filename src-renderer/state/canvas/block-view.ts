/** A block as it is drawn: its size in rows, its ports and where they sit, its formula lines. */
import type { Problem } from '../../../src-main/contract/contract.ts';
import type { BlockDraft, Draft, Point } from '../document/draft.ts';
import { objectivesOf } from '../document/draft.ts';
import { chipRectangle, chipsHeight, headerHeight, type ChipWords } from './chips.ts';
import type { Kind } from '../words/kinds.ts';
import { kindOf } from '../words/kinds.ts';
import type { PortView, PortsView } from '../document/ports.ts';
import { isSource } from '../document/ports.ts';
import type { Line } from '../document/typeset.ts';
import { linesOf } from '../document/typeset.ts';

export const rowHeight = 22;

export type Form = 'chip' | 'parameter' | 'source' | 'rows';

export interface BlockView {
  readonly block: BlockDraft;
  readonly kind: Kind;
  readonly form: Form;
  readonly inputs: readonly PortView[];
  readonly outputs: readonly PortView[];
  /** Outputs that a wire may begin at, those too that are drawn only where something takes them. */
  readonly offered: readonly PortView[];
  /** Inputs whose values stand on the block as chips. */
  readonly chips: readonly PortView[];
  /** What stands on each of them, by which they are placed. */
  readonly words: readonly ChipWords[];
  /** Input ports at the left edge, one for each row. */
  readonly left: readonly PortView[];
  readonly rows: number;
  /** How many of them are above the foot, which lines share. */
  readonly above: number;
  /** What stands in the last row: the form of an objective with its value, or the distribution of effects and how many groups it has. */
  readonly foot: 'objective' | 'effects' | undefined;
  readonly lines: readonly (Line & { readonly row: number | undefined })[];
  readonly problems: readonly Problem[];
  readonly isObjective: boolean;
}

/** How many rows of ports a line of TeX is high. */
function rowsOfTex(tex: string): number {
  const lines = tex.split('\\\\').map((line) => (line.includes('\\frac') ? 2 : 1));
  return Math.max(
    lines.reduce((sum, high) => sum + high, 0),
    tex.includes('\\begin{cases}') ? 2 : 1,
  );
}

/** `drawn` says whether the block is a chip itself, which of its inputs are, in what unit, and which outputs aside are taken. */
export function blockView(
  draft: Draft,
  block: BlockDraft,
  { inputs: given, outputs: listed, aside }: PortsView,
  problems: readonly Problem[],
  drawn: {
    readonly isChip: boolean;
    readonly ports: ReadonlyMap<string, string>;
    readonly aside: ReadonlySet<string>;
  },
): BlockView {
  const kind = kindOf(block.kind);
  const inputs = given.map((port): PortView => (drawn.ports.has(port.name) ? { ...port, side: 'left' } : port));
  const giving = [...listed, ...aside.filter(({ name }) => drawn.aside.has(name))];
  const outputs = drawn.isChip ? giving.map((port): PortView => ({ ...port, side: 'right' })) : giving;
  const parameters = new Set(draft.blocks.filter((other) => other.kind === 'parameter').map((other) => other.id));
  const lines = linesOf(block, (name) => parameters.has(name));
  const chips = inputs.filter((port) => drawn.ports.has(port.name));
  const left = inputs.filter((port) => port.side === 'left' && !drawn.ports.has(port.name));
  const foot = kind.icon === 'objective' ? 'objective' : block.kind === 'random-effect' ? 'effects' : undefined;
  const rightCount = outputs.filter((port) => port.side === 'right').length;
  const spread = lines.some((line) => line.output !== undefined) && rightCount > 1;
  const tall = lines.reduce(
    (sum, line) => (spread ? sum + rowsOfTex(line.tex) : Math.max(sum, rowsOfTex(line.tex))),
    0,
  );
  const above = Math.max(left.length, rightCount, tall, 1);
  const rows = above + (foot ? 1 : 0);
  const form: Form = drawn.isChip
    ? 'chip'
    : block.kind === 'parameter'
      ? 'parameter'
      : isPlain(block.kind)
        ? 'source'
        : 'rows';
  return {
    block,
    kind,
    form,
    inputs,
    outputs,
    offered: [...listed, ...aside],
    chips,
    words: chips.map(({ name, label }) => ({ name: label, unit: drawn.ports.get(name) ?? '' })),
    left,
    rows,
    above,
    foot,
    lines: lines.map((line, index) => ({
      ...line,
      row: spread ? outputRow(index, lines.length, rows) : undefined,
    })),
    problems,
    isObjective: objectivesOf(draft).includes(block.id),
  };
}

function isPlain(kind: string): boolean {
  return kind === 'column' || isSource(kind);
}

/** The row beside which an output stands, or the half of one: in the middle of its share of all. */
export function outputRow(index: number, count: number, rows: number): number {
  return count === 1 ? Math.floor(rows / 2) : Math.round(((2 * index + 1) * rows) / count - 1) / 2;
}

/** The middle of a port, from the top left corner of a block of this size. */
export function portPosition(view: BlockView, port: PortView, width: number, height: number): Point {
  const along = (ports: readonly PortView[], length: number): number => {
    const step = Math.min(44, length / (ports.length + 1));
    return length / 2 + (ports.indexOf(port) - (ports.length - 1) / 2) * step;
  };
  const top = headerHeight + chipsHeight(view.words, width);
  const rowMiddle = (row: number) => top + rowHeight * row + rowHeight / 2;
  switch (port.side) {
    case 'left': {
      const chip = view.chips.indexOf(port);
      if (chip >= 0) {
        const { y, height: high } = chipRectangle(chip, view.words, width);
        return [0, y + high / 2];
      }
      return [0, rowMiddle(view.left.indexOf(port))];
    }
    case 'top':
      return [
        along(
          view.inputs.filter((other) => other.side === 'top'),
          width,
        ),
        0,
      ];
    case 'bottom':
      return [along(view.outputs, width), height];
    case 'right': {
      if (view.form !== 'rows') return [width, height / 2];
      return [width, rowMiddle(outputRow(view.outputs.indexOf(port), view.outputs.length, view.rows))];
    }
  }
}

const sortedViews = new WeakMap<BlockView, { order: string; view: BlockView }>();

/** Ports at the top stand in the order of what feeds them, so that their wires do not cross. */
export function sortTop(view: BlockView, sourceX: (reference: string) => number): BlockView {
  const top = view.inputs.filter((port) => port.side === 'top');
  const x = (port: PortView) => (port.source === undefined ? Infinity : sourceX(port.source));
  const sorted = [...top].sort((a, b) => x(a) - x(b));
  if (sorted.every((port, i) => port === top[i])) return view;
  const order = sorted.map((port) => port.name).join();
  const known = sortedViews.get(view);
  if (known?.order === order) return known.view;
  let next = 0;
  const inputs = view.inputs.map((port) => (port.side === 'top' ? sorted[next++]! : port));
  sortedViews.set(view, { order, view: { ...view, inputs } });
  return sortedViews.get(view)!.view;
}

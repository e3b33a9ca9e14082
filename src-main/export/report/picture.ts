/** The model as it is drawn: a box for each block where the document has it, else in layers from the data to the objective. */
import { escapeXml } from '../../../models/notation/escape-xml.ts';
import type { Model } from '../../../models/load/model.ts';

type Point = readonly [x: number, y: number];

const box = { width: 132, height: 44 } as const;
const gap = { x: 64, y: 20 } as const;
const margin = 12;

/** From block to block at the top level: what is within a group is the group's. */
function wiresOf({ blocks }: Model): (readonly [from: string, to: string])[] {
  const outer = (id: string): string => id.split('/')[0] ?? id;
  const wires = new Map<string, readonly [string, string]>();
  for (const [id, { links }] of blocks)
    for (const { block } of links.values()) {
      const wire = [outer(block), outer(id)] as const;
      if (wire[0] !== wire[1]) wires.set(wire.join(' '), wire);
    }
  return [...wires.values()];
}

/** Each block one layer behind the last of what it takes. The order of `blocks` is such that this is known. */
function layered(ids: readonly string[], wires: readonly (readonly [string, string])[]): Map<string, Point> {
  const layer = new Map(ids.map((id) => [id, 0]));
  for (let changed = true, left = ids.length; changed && left > 0; left--) {
    changed = false;
    for (const [from, to] of wires) {
      const next = (layer.get(from) ?? 0) + 1;
      if ((layer.get(to) ?? 0) >= next) continue;
      layer.set(to, next);
      changed = true;
    }
  }
  const filled: number[] = [];
  return new Map(
    ids.map((id) => {
      const column = layer.get(id) ?? 0;
      const row = filled[column] ?? 0;
      filled[column] = row + 1;
      return [id, [column * (box.width + gap.x), row * (box.height + gap.y)]];
    }),
  );
}

/** Undefined for a document without blocks. */
export function modelPicture(model: Model): string | undefined {
  const blocks = [...model.graph.top.blocks.values()].map(({ block }) => block);
  if (blocks.length === 0) return undefined;
  const ids = blocks.map(({ id }) => id);
  const wires = wiresOf(model);
  const drawn = model.document.view?.positions ?? {};
  const placed = ids.every((id) => Object.hasOwn(drawn, id));
  const places = placed ? new Map(ids.map((id) => [id, drawn[id] as unknown as Point])) : layered(ids, wires);
  const all = [...places.values()];
  const left = Math.min(...all.map(([x]) => x)) - margin;
  const top = Math.min(...all.map(([, y]) => y)) - margin;
  const width = Math.max(...all.map(([x]) => x)) + box.width + margin - left;
  const height = Math.max(...all.map(([, y]) => y)) + box.height + margin - top;
  const at = (id: string): Point => {
    const [x, y] = places.get(id) ?? [0, 0];
    return [x - left, y - top];
  };
  const parameters = new Set(blocks.flatMap(({ id, kind }) => (kind === 'parameter' ? [id] : [])));
  const paths = wires.map(([from, to]) => {
    const [x, y] = at(from);
    const [u, w] = at(to);
    // What stands over another block is wired downwards, as on the canvas; all else from left to right.
    if (w > y + box.height && (parameters.has(from) || u < x + box.width)) {
      const [a, b, end] = [x + box.width / 2, y + box.height, u + box.width / 2];
      const middle = (b + w) / 2;
      return `<path d="M${a} ${b}C${a} ${middle} ${end} ${middle} ${end} ${w}"/>`;
    }
    const [a, b] = [x + box.width, y + box.height / 2];
    const bend = Math.max(24, Math.abs(u - a) / 2);
    const end = w + box.height / 2;
    return `<path d="M${a} ${b}C${a + bend} ${b} ${u - bend} ${end} ${u} ${end}"/>`;
  });
  const boxes = blocks.map(({ id, kind }) => {
    const [x, y] = at(id);
    return `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="5"/><text class="id" x="${x + 10}" y="${y + 18}">${escapeXml(id)}</text><text x="${x + 10}" y="${y + 34}">${escapeXml(kind)}</text>`;
  });
  const label = `The model: ${blocks.length} blocks, ${wires.length} wires`;
  return `<svg class="model" viewBox="0 0 ${width} ${height}" style="max-width:${width}px" role="img" aria-label="${escapeXml(label)}">${[...paths, ...boxes].join('')}</svg>`;
}

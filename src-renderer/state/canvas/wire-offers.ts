/** Where a wire can go that begins at a port: the keyboard's way of drawing one. */
import type { BlockView } from './block-view.ts';
import type { Pulled } from './canvas.svelte.ts';
import { portKeys } from '../words/kinds.ts';
import type { PortView } from '../document/ports.ts';
import { fits } from '../document/ports.ts';
import { blockOfReference } from '../document/wiring.ts';

export interface WireOffer {
  /** The block that takes the value, its port, and what it takes; null takes the wire away. */
  readonly id: string;
  readonly port: string;
  readonly source: string | null;
  /** The other end in words, and the reference that the port takes now. */
  readonly title: string;
  readonly now: string | undefined;
}

type Views = ReadonlyMap<string, BlockView>;

/** Ends that fit, those that still want a wire first. What would close a circle is not offered. */
export function wireOffers(views: Views, { from, id, port }: Pulled): readonly WireOffer[] {
  const view = views.get(id);
  if (!view) return [];
  return from === 'output' ? inputsFor(views, view, port) : outputsFor(views, view, port);
}

function inputsFor(views: Views, view: BlockView, reference: string): WireOffer[] {
  const output = view.outputs.find((other) => other.name === reference);
  if (!output) return [];
  const before = reached(views, view.block.id, feedersOf);
  const offers = [...views.values()].flatMap((other) =>
    other === view || before.has(other.block.id)
      ? []
      : inputsOf(other)
          .filter((input) => fits(output, input))
          .map((input) => ({
            id: other.block.id,
            port: input.name,
            source: reference,
            title: `${input.label} of ${other.block.id}`,
            now: input.source,
            // Wanting, wired, possible.
            order: input.source !== undefined ? 1 : other.inputs.includes(input as PortView) ? 0 : 2,
          })),
  );
  return offers.sort((a, b) => a.order - b.order);
}

function outputsFor(views: Views, view: BlockView, port: string): WireOffer[] {
  const { id } = view.block;
  const now = view.inputs.find((input) => input.name === port)?.source;
  const after = reached(views, id, readersOf(views));
  const away = now === undefined ? [] : [{ id, port, source: null, title: `no wire from ${now}`, now }];
  const offers = [...views.values()].flatMap((other) =>
    other === view || after.has(other.block.id)
      ? []
      : other.offered
          .filter((output) => output.name !== now && fits(output, { name: port }))
          .map((output) => ({ id, port, source: output.name, title: output.name, now: undefined })),
  );
  return [...offers, ...away];
}

/** The ports that are drawn, and those that the block may have besides. */
export function inputsOf(view: BlockView): readonly Pick<PortView, 'name' | 'label' | 'source'>[] {
  const absent = portKeys(view.block).optional.filter(
    (key) => !view.inputs.some((port) => port.name === key || port.name.startsWith(`${key}.`)),
  );
  return [...view.inputs, ...absent.map((name) => ({ name, label: name, source: undefined }))];
}

function feedersOf(view: BlockView): readonly string[] {
  return view.inputs.flatMap((port) => (port.source === undefined ? [] : [blockOfReference(port.source)]));
}

function readersOf(views: Views): (view: BlockView) => readonly string[] {
  const readers = new Map<string, string[]>();
  for (const [id, view] of views)
    for (const feeder of feedersOf(view)) readers.set(feeder, [...(readers.get(feeder) ?? []), id]);
  return (view) => readers.get(view.block.id) ?? [];
}

/** Every block that is come to from one, by what `next` names, itself left out. */
function reached(views: Views, id: string, next: (view: BlockView) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const pending = [id]; pending.length > 0;) {
    const view = views.get(pending.pop()!);
    for (const other of view ? next(view) : []) {
      if (found.has(other)) continue;
      found.add(other);
      pending.push(other);
    }
  }
  return found;
}

/** The port on the other end of a wire, for the arrow that goes along it. */
export function alongWire(views: Views, { from, id, port }: Pulled): Pulled | undefined {
  if (from === 'input') {
    const source = views.get(id)?.inputs.find((input) => input.name === port)?.source;
    const feeder = source === undefined ? undefined : views.get(blockOfReference(source));
    const output = feeder?.outputs.find((other) => other.name === source) ?? feeder?.outputs[0];
    return feeder && output && { from: 'output', id: feeder.block.id, port: output.name };
  }
  for (const [reader, view] of views) {
    const input = view.inputs.find((other) => other.source === port);
    if (input) return { from: 'input', id: reader, port: input.name };
  }
  return undefined;
}

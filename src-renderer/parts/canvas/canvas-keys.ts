/** What the keys mean on the canvas, by what has the focus: a block, a port, or the canvas itself. */
import type { Direction } from '../../state/canvas/arranging.ts';
import type { Pulled } from '../../state/canvas/canvas.svelte.ts';
import type { Point } from '../../state/document/draft.ts';
import { arrowStep } from './drag.ts';

export type Intent =
  | { readonly type: 'add' | 'showAll' | 'menu' }
  | { readonly type: 'open'; readonly id: string }
  | { readonly type: 'nudge'; readonly by: Point }
  | { readonly type: 'go'; readonly direction: Direction }
  | { readonly type: 'wire' | 'unwire' | 'along'; readonly from: Pulled }
  | { readonly type: 'port'; readonly from: Pulled; readonly step: 1 | -1 };

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The port that an element is, as Svelte Flow marks its handles. */
export function portAt(target: Element | null): Pulled | undefined {
  const handle = target?.closest<HTMLElement>('.svelte-flow__handle');
  const { nodeid, handleid } = handle?.dataset ?? {};
  if (!handle || nodeid === undefined || handleid === undefined) return undefined;
  return { from: handle.classList.contains('source') ? 'output' : 'input', id: nodeid, port: handleid };
}

export function nodeAt(target: Element | null): string | undefined {
  return target?.closest<HTMLElement>('.svelte-flow__node')?.dataset['id'];
}

export function focusNode(surface: Element, id: string): void {
  surface.querySelector<HTMLElement>(`.svelte-flow__node[data-id="${CSS.escape(id)}"]`)?.focus();
}

export function focusPort(surface: Element, { from, id, port }: Pulled): void {
  const kind = from === 'output' ? 'source' : 'target';
  const [node, handle] = [CSS.escape(id), CSS.escape(port)];
  surface.querySelector<HTMLElement>(`.${kind}[data-nodeid="${node}"][data-handleid="${handle}"]`)?.focus();
}

/** Alt with an arrow goes from block to block; an arrow alone moves the selection, and on a port goes along it. */
export function intentOf(event: KeyboardEvent, selected: boolean): Intent | undefined {
  const target = event.target as Element;
  if (target.closest('input, textarea, select, .cm-editor, [role=slider]')) return undefined;
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return { type: 'menu' };
  if (event.ctrlKey || event.metaKey) return undefined;
  const from = portAt(target);
  const direction = directions[event.key];
  if (from) {
    if (event.key === 'Enter') return { type: 'wire', from };
    if (event.key === 'Delete' || event.key === 'Backspace')
      return from.from === 'input' ? { type: 'unwire', from } : undefined;
    if (direction === 'up' || direction === 'down') return { type: 'port', from, step: direction === 'up' ? -1 : 1 };
    if (direction !== undefined) return { type: 'along', from };
  }
  const node = nodeAt(target);
  if (event.key === 'Enter' && node !== undefined && !target.closest('button')) return { type: 'open', id: node };
  if (event.key === ' ') return target.closest('button') ? undefined : { type: 'add' };
  if (event.key === 'Home') return { type: 'showAll' };
  if (direction === undefined) return undefined;
  const by = arrowStep(event);
  return event.altKey || !selected || !by ? { type: 'go', direction } : { type: 'nudge', by };
}

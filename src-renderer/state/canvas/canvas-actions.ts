/** What can be done on the canvas by name: from the palette, a key, the tools or a context menu. */
import { measuresMisfit } from '../../../models/facts/kinds.ts';
import type { Action } from '../action.ts';
import type { Alignment, Distribution } from './arranging.ts';
import { alignments, distributions } from './arranging.ts';
import { objectivesOf } from '../document/draft.ts';
import { withObjective } from '../document/fields/objectives.ts';
import { innerBlocks, packable } from '../document/grouping.ts';
import type { Studio } from '../studio.svelte.ts';

/** Offered by the canvas while it is on screen. */
export interface CanvasActions {
  readonly add: () => void;
  readonly arrange: () => void;
  readonly showAll: () => void;
  readonly addNote: () => void;
  readonly addFrame: () => void;
  readonly pin: () => void;
  readonly copy: () => void;
  readonly cut: () => void;
  readonly paste: () => void;
  readonly duplicate: () => void;
  readonly selectAll: () => void;
  readonly align: (alignment: Alignment) => void;
  readonly distribute: (distribution: Distribution) => void;
  readonly pack: () => void;
  readonly unpack: () => void;
  readonly wire: () => void;
  /** To what a block is made of: its insides, a group's blocks, its fields. */
  readonly open: () => void;
  readonly focus: (id: string) => void;
}

const alignmentTitles: { readonly [A in Alignment]: string } = {
  left: 'Align left edges',
  center: 'Align centres across',
  right: 'Align right edges',
  top: 'Align top edges',
  middle: 'Align middles',
  bottom: 'Align bottom edges',
};

const distributionTitles: { readonly [D in Distribution]: string } = {
  across: 'Distribute across',
  down: 'Distribute down',
};

export function canvasActionsOf(studio: Studio | null, canvas: CanvasActions | undefined): Action[] {
  const chosen = studio?.selection ?? [];
  const some = !!canvas && chosen.length > 0;
  const several = !!canvas && chosen.length > 1;
  const run = (act: keyof CanvasActions) => () => (canvas?.[act] as (() => void) | undefined)?.();
  const isGroup = innerBlocks(studio?.selected).length > 0;
  return [
    // The clipboard's own keys come as its events, which carry the text.
    {
      id: 'edit.cut',
      title: 'Cut',
      icon: 'cut',
      keys: '$mod+x',
      bound: 'elsewhere',
      enabled: some,
      run: run('cut'),
    },
    {
      id: 'edit.copy',
      title: 'Copy as text',
      icon: 'copy',
      keys: '$mod+c',
      bound: 'elsewhere',
      enabled: some,
      run: run('copy'),
    },
    {
      id: 'edit.paste',
      title: 'Paste',
      icon: 'paste',
      keys: '$mod+v',
      bound: 'elsewhere',
      enabled: !!canvas,
      run: run('paste'),
    },
    {
      id: 'edit.duplicate',
      title: 'Duplicate',
      icon: 'copy',
      keys: '$mod+d',
      bound: 'outside-fields',
      enabled: some,
      run: run('duplicate'),
    },
    {
      id: 'edit.selectAll',
      title: 'Select all blocks',
      icon: 'show-all',
      keys: '$mod+a',
      bound: 'outside-fields',
      enabled: !!canvas && (studio?.draft.blocks.length ?? 0) > 0,
      run: run('selectAll'),
    },
    {
      id: 'canvas.add',
      title: 'Add a block',
      icon: 'plus',
      keys: 'Space',
      bound: 'elsewhere',
      enabled: !!canvas,
      run: run('add'),
    },
    {
      id: 'canvas.wire',
      title: 'Wire the block or port',
      icon: 'wire',
      keys: 'w',
      enabled: !!canvas && chosen.length === 1,
      run: run('wire'),
    },
    {
      id: 'canvas.open',
      title: 'Open the block',
      icon: 'collapse',
      keys: 'Enter',
      bound: 'elsewhere',
      enabled: !!canvas && chosen.length === 1,
      run: run('open'),
    },
    {
      id: 'canvas.pack',
      title: 'Pack into a group',
      icon: 'group',
      keys: '$mod+g',
      enabled: some && !!studio && packable(studio.draft, chosen).length > 0,
      run: run('pack'),
    },
    {
      id: 'canvas.unpack',
      title: 'Unpack the group',
      icon: 'unpack',
      keys: '$mod+Shift+g',
      enabled: !!canvas && isGroup,
      run: run('unpack'),
    },
    {
      id: 'canvas.objective',
      title: 'Count this in the objective',
      icon: 'objective',
      enabled: chosen.length === 1 && !!studio?.selected && isLoss(studio),
      run: () => {
        const [loss] = chosen;
        if (studio && loss !== undefined)
          studio.perform({ type: 'document', key: 'objective', value: withObjective(studio.draft, loss, true) });
      },
    },
    { id: 'canvas.arrange', title: 'Arrange the blocks', icon: 'arrange', enabled: !!canvas, run: run('arrange') },
    {
      id: 'canvas.showAll',
      title: 'Show all blocks',
      icon: 'show-all',
      keys: 'Home',
      bound: 'elsewhere',
      enabled: !!canvas,
      run: run('showAll'),
    },
    ...alignments.map((alignment): Action => ({
      id: `canvas.align.${alignment}`,
      title: alignmentTitles[alignment],
      icon: `align-${alignment}`,
      enabled: several,
      run: () => canvas?.align(alignment),
    })),
    ...distributions.map((distribution): Action => ({
      id: `canvas.distribute.${distribution}`,
      title: distributionTitles[distribution],
      icon: `distribute-${distribution}`,
      enabled: !!canvas && chosen.length > 2,
      run: () => canvas?.distribute(distribution),
    })),
    {
      id: 'canvas.pin',
      title: 'Pin or unpin a probe of the wire',
      icon: 'pin',
      keys: 'p',
      enabled: !!canvas && !!studio?.selectedWire,
      run: run('pin'),
    },
    { id: 'canvas.note', title: 'Add a note', icon: 'note', enabled: !!canvas, run: run('addNote') },
    {
      id: 'canvas.frame',
      title: 'Add a frame around the selection',
      icon: 'frame',
      enabled: !!canvas,
      run: run('addFrame'),
    },
  ];
}

/** A block that could be what a fit minimises and is not. */
function isLoss({ selected, draft }: Studio): boolean {
  return !!selected && measuresMisfit(selected.kind) && !objectivesOf(draft).includes(selected.id);
}

/** What a right click or the menu key offers, by what it is on; null parts them. */
export type MenuOf = 'canvas' | 'blocks' | 'wire';

export const menus: { readonly [M in MenuOf]: readonly (string | null)[] } = {
  canvas: [
    'canvas.add',
    'edit.paste',
    'edit.selectAll',
    null,
    'canvas.note',
    'canvas.frame',
    null,
    'canvas.arrange',
    'canvas.showAll',
    'canvas.adjoints',
  ],
  blocks: [
    'canvas.open',
    'edit.cut',
    'edit.copy',
    'edit.duplicate',
    'edit.delete',
    null,
    'canvas.wire',
    'canvas.pack',
    'canvas.unpack',
    'canvas.frame',
    'canvas.objective',
    null,
    ...alignments.map((alignment) => `canvas.align.${alignment}`),
    ...distributions.map((distribution) => `canvas.distribute.${distribution}`),
  ],
  wire: ['canvas.pin', 'edit.delete'],
};

/** What can be done on the canvas by name: from the palette, a key, the tools or a context menu. */
import { measuresMisfit } from '../../../models/facts/kinds.ts';
import type { Action } from '../action.ts';
import type { Alignment, Distribution } from './arranging.ts';
import { alignments, distributions } from './arranging.ts';
import type { Draft } from '../document/draft.ts';
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
  /** Blocks from elsewhere, where there is room in what is seen; they are selected. */
  readonly insert: (fragment: Draft) => void;
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

type Act = Exclude<keyof CanvasActions, 'align' | 'distribute' | 'focus' | 'insert'>;

/** What the canvas does itself, while it is on screen. */
interface OfCanvas extends Omit<Action, 'enabled' | 'run'> {
  readonly act: Act;
  /** Always unless said. */
  readonly when?: (studio: Studio | null) => boolean;
}

const chosenOf = (studio: Studio | null): readonly string[] => studio?.selection ?? [];
const some = (studio: Studio | null): boolean => chosenOf(studio).length > 0;
const one = (studio: Studio | null): boolean => chosenOf(studio).length === 1;
const hasBlocks = (studio: Studio | null): boolean => (studio?.draft.blocks.length ?? 0) > 0;
const canPack = (studio: Studio | null): boolean =>
  !!studio && some(studio) && packable(studio.draft, studio.selection).length > 0;
const isGroup = (studio: Studio | null): boolean => innerBlocks(studio?.selected).length > 0;
const isWire = (studio: Studio | null): boolean => !!studio?.selectedWire;

const key = (keys: string, bound?: Action['bound']): Pick<Action, 'keys' | 'bound'> => ({
  keys,
  ...(bound && { bound }),
});

const editing: readonly OfCanvas[] = [
  // The clipboard's own keys come as its events, which carry the text.
  { id: 'edit.cut', act: 'cut', title: 'Cut', icon: 'cut', ...key('$mod+x', 'elsewhere'), when: some },
  { id: 'edit.copy', act: 'copy', title: 'Copy as text', icon: 'copy', ...key('$mod+c', 'elsewhere'), when: some },
  { id: 'edit.paste', act: 'paste', title: 'Paste', icon: 'paste', ...key('$mod+v', 'elsewhere') },
  {
    ...{ id: 'edit.duplicate', act: 'duplicate', title: 'Duplicate', icon: 'copy', when: some },
    ...key('$mod+d', 'outside-fields'),
  },
  {
    ...{ id: 'edit.selectAll', act: 'selectAll', title: 'Select all blocks', icon: 'show-all', when: hasBlocks },
    ...key('$mod+a', 'outside-fields'),
  },
  { id: 'canvas.add', act: 'add', title: 'Add a block', icon: 'plus', ...key('Space', 'elsewhere') },
  { id: 'canvas.wire', act: 'wire', title: 'Wire the block or port', icon: 'wire', ...key('w'), when: one },
  {
    id: 'canvas.open',
    act: 'open',
    title: 'Open the block',
    icon: 'collapse',
    ...key('Enter', 'elsewhere'),
    when: one,
  },
  { id: 'canvas.pack', act: 'pack', title: 'Pack into a group', icon: 'group', ...key('$mod+g'), when: canPack },
  {
    id: 'canvas.unpack',
    act: 'unpack',
    title: 'Unpack the group',
    icon: 'unpack',
    ...key('$mod+Shift+g'),
    when: isGroup,
  },
];

const arranging: readonly OfCanvas[] = [
  { id: 'canvas.arrange', act: 'arrange', title: 'Arrange the blocks', icon: 'arrange' },
  { id: 'canvas.showAll', act: 'showAll', title: 'Show all blocks', icon: 'show-all', ...key('Home', 'elsewhere') },
];

const annotating: readonly OfCanvas[] = [
  { id: 'canvas.pin', act: 'pin', title: 'Pin or unpin a probe of the wire', icon: 'pin', ...key('p'), when: isWire },
  { id: 'canvas.note', act: 'addNote', title: 'Add a note', icon: 'note' },
  { id: 'canvas.frame', act: 'addFrame', title: 'Add a frame around the selection', icon: 'frame' },
];

export function canvasActionsOf(studio: Studio | null, canvas: CanvasActions | undefined): Action[] {
  const isOf = ({ act, when, ...action }: OfCanvas): Action => ({
    ...action,
    enabled: !!canvas && (when?.(studio) ?? true),
    run: () => canvas?.[act](),
  });
  const atLeast = (count: number): boolean => !!canvas && chosenOf(studio).length >= count;
  return [
    ...editing.map(isOf),
    objectiveAction(studio),
    ...arranging.map(isOf),
    ...alignments.map((alignment): Action => ({
      id: `canvas.align.${alignment}`,
      title: alignmentTitles[alignment],
      icon: `align-${alignment}`,
      enabled: atLeast(2),
      run: () => canvas?.align(alignment),
    })),
    ...distributions.map((distribution): Action => ({
      id: `canvas.distribute.${distribution}`,
      title: distributionTitles[distribution],
      icon: `distribute-${distribution}`,
      enabled: atLeast(3),
      run: () => canvas?.distribute(distribution),
    })),
    ...annotating.map(isOf),
  ];
}

function objectiveAction(studio: Studio | null): Action {
  return {
    id: 'canvas.objective',
    title: 'Count this in the objective',
    icon: 'objective',
    enabled: one(studio) && !!studio?.selected && isLoss(studio),
    run: () => {
      const [loss] = chosenOf(studio);
      if (studio && loss !== undefined)
        studio.perform({ type: 'document', key: 'objective', value: withObjective(studio.draft, loss, true) });
    },
  };
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

/**
 * What the window explains: for each kind of block and each method its equation, what the letters stand for, and where it
 * comes from. What is said of kinds and methods stands in models/facts.
 */
import type { Explanation, IconName, KindFacts } from '../../../models/facts/kind.ts';
import { kindFacts } from '../../../models/facts/kinds.ts';
import type { MethodFacts } from '../../../models/facts/method.ts';
import { fitFacts, listed, sensitivityFacts, uncertaintyFacts } from '../../../models/facts/methods.ts';

export type HelpGroup = 'Blocks' | 'Fit' | 'Uncertainty' | 'Sensitivity';

export interface HelpTopic extends Explanation {
  /** `block scan`, `fit adam`, … */
  readonly id: string;
  readonly group: HelpGroup;
  readonly title: string;
  readonly icon: IconName;
  readonly about: string;
  /** The kind whose picture goes with it. */
  readonly picture?: string;
}

/** What the canvas takes beside the actions, as keys and in words. */
export const canvasKeys: readonly (readonly [keys: string, does: string])[] = [
  ['Arrow keys', 'Go to the block that lies there; move the selected ones; on a slider, change its value'],
  ['Alt and arrows', 'Go on while blocks are selected'],
  ['Tab', 'Go on to the next block and its ports'],
  ['Enter', 'On a port: choose what it is wired to; on a number in a block: type it'],
  ['Delete', 'On an input: take its wire away'],
  ['Menu, Shift F10', 'All that can be done with what has the focus'],
  ['Drag', 'Select what a rectangle takes in; Shift and click adds one'],
  ['Double-click', 'Search for a block to add, there'],
  ['Escape', 'Close what floats, or select nothing'],
];

export function methodTopics(
  group: HelpGroup,
  icon: IconName,
  facts: Readonly<Record<string, MethodFacts>>,
): HelpTopic[] {
  return listed(facts).map(({ id, title, summary, equations, where, source }) => ({
    id: `${group.toLowerCase()} ${id}`,
    group,
    icon,
    title,
    about: summary,
    equations,
    where,
    ...(source !== undefined && { source }),
  }));
}

const methodHelp: readonly HelpTopic[] = [
  ...methodTopics('Fit', 'objective', fitFacts),
  ...methodTopics('Uncertainty', 'parameter', uncertaintyFacts),
  ...methodTopics('Sensitivity', 'histogram', sensitivityFacts),
];

const kindHelp = Object.entries<KindFacts>(kindFacts).map(
  ([kind, { title, summary, icon, equations, where, source }]): HelpTopic => ({
    id: `block ${kind}`,
    group: 'Blocks',
    icon,
    title,
    about: summary,
    equations,
    where,
    ...(source !== undefined && { source }),
    picture: kind,
  }),
);

export const helpTopics: readonly HelpTopic[] = [...kindHelp, ...methodHelp];

export function helpTopic(id: string): HelpTopic | undefined {
  return helpTopics.find((topic) => topic.id === id);
}

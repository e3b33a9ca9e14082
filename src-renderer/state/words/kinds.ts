/**
 * What the window knows of each block kind: its icon, its name in words and what its fields are. What a block means is
 * the engine's business.
 */
export type IconName =
  | 'column'
  | 'parameter'
  | 'constant'
  | 'range'
  | 'map'
  | 'reduce'
  | 'scan'
  | 'histogram'
  | 'recurrence'
  | 'filter'
  | 'gather'
  | 'scatter'
  | 'shape'
  | 'matmul'
  | 'objective'
  | 'quantity'
  | 'group'
  | 'unknown';

export type Field =
  | { readonly type: 'formula'; readonly key: string; readonly label: string }
  /** A record of formulas (`outputs` of a map). */
  | { readonly type: 'formulas'; readonly key: string; readonly label: string }
  /** State, its start and its formula. */
  | { readonly type: 'state'; readonly key: string; readonly label: string; readonly formula: 'next' | 'rate' }
  | { readonly type: 'operator'; readonly key: string; readonly label: string }
  | { readonly type: 'number'; readonly key: string; readonly label: string; readonly hint?: string }
  /** A number or a nested array, written as JSON. */
  | { readonly type: 'numbers'; readonly key: string; readonly label: string }
  | { readonly type: 'choice'; readonly key: string; readonly label: string; readonly choices: readonly Choice[] }
  | { readonly type: 'truth'; readonly key: string; readonly label: string }
  /** A robust loss: a family with its scale. */
  | { readonly type: 'loss'; readonly key: string; readonly label: string }
  | { readonly type: 'table'; readonly key: string; readonly label: string }
  | { readonly type: 'column'; readonly key: string; readonly label: string };

/** `value` undefined stands for the key's absence: the default. */
export interface Choice {
  readonly value: string | undefined;
  readonly label: string;
}

export interface Kind {
  readonly icon: IconName;
  readonly title: string;
  readonly fields: readonly Field[];
  /** The keys that must be wired, in the order of the ports. A list key has a port for each element. */
  readonly ports: readonly string[];
  /** The keys that may be. */
  readonly optional?: readonly string[];
}

const axis: Field = { type: 'number', key: 'axis', label: 'Axis', hint: '0' };
const operator: Field = { type: 'operator', key: 'operator', label: 'Operator' };

const kinds = {
  column: {
    icon: 'column',
    title: 'column',
    ports: [],
    fields: [
      { type: 'table', key: 'table', label: 'Table' },
      { type: 'column', key: 'column', label: 'Column' },
      {
        type: 'choice',
        key: 'type',
        label: 'Type',
        choices: [
          { value: undefined, label: 'as found' },
          { value: 'real', label: 'real' },
          { value: 'int', label: 'int' },
          { value: 'category', label: 'category' },
        ],
      },
    ],
  },
  parameter: { icon: 'parameter', title: 'parameter', ports: [], fields: [] },
  constant: {
    icon: 'constant',
    title: 'constant',
    ports: [],
    fields: [
      { type: 'numbers', key: 'value', label: 'Value' },
      {
        type: 'choice',
        key: 'type',
        label: 'Type',
        choices: [
          { value: undefined, label: 'real' },
          { value: 'int', label: 'int' },
        ],
      },
    ],
  },
  range: {
    icon: 'range',
    title: 'range',
    ports: [],
    optional: ['like'],
    fields: [
      { type: 'number', key: 'length', label: 'Length' },
      { type: 'number', key: 'start', label: 'Start', hint: '0' },
      { type: 'number', key: 'step', label: 'Step', hint: '1' },
    ],
  },
  map: { icon: 'map', title: 'map', ports: [], fields: [{ type: 'formulas', key: 'outputs', label: 'Formula' }] },
  reduce: { icon: 'reduce', title: 'reduce', ports: ['values'], fields: [operator, axis] },
  scan: {
    icon: 'scan',
    title: 'scan',
    ports: ['values'],
    fields: [
      operator,
      axis,
      { type: 'truth', key: 'exclusive', label: 'Exclusive' },
      { type: 'truth', key: 'reverse', label: 'Reverse' },
    ],
  },
  histogram: {
    icon: 'histogram',
    title: 'histogram',
    ports: ['keys', 'values'],
    optional: ['initial', 'bins'],
    fields: [operator, { type: 'number', key: 'bins', label: 'Bins' }],
  },
  recurrence: {
    icon: 'recurrence',
    title: 'recurrence',
    ports: [],
    fields: [
      { type: 'state', key: 'state', label: 'State', formula: 'next' },
      { type: 'number', key: 'steps', label: 'Steps' },
      {
        type: 'choice',
        key: 'emit',
        label: 'Gives',
        choices: [
          { value: undefined, label: 'the trajectory' },
          { value: 'final', label: 'the final state' },
        ],
      },
    ],
  },
  ode: {
    icon: 'recurrence',
    title: 'differential equation',
    ports: ['times'],
    fields: [
      { type: 'state', key: 'state', label: 'State', formula: 'rate' },
      {
        type: 'choice',
        key: 'method',
        label: 'Method',
        choices: [
          { value: undefined, label: 'Found by the solver' },
          { value: 'explicit', label: 'Explicit, steps as found' },
          { value: 'stiff', label: 'Stiff, steps as found' },
          { value: 'rk4', label: 'Runge–Kutta, fixed steps' },
          { value: 'rosenbrock', label: 'Rosenbrock, fixed steps' },
        ],
      },
      { type: 'number', key: 'substeps', label: 'Fixed substeps', hint: 'none' },
    ],
  },
  filter: {
    icon: 'filter',
    title: 'filter',
    ports: ['values'],
    fields: [{ type: 'formula', key: 'where', label: 'Where' }],
  },
  interpolate: { icon: 'map', title: 'interpolate', ports: ['x', 'xs', 'ys'], fields: [] },
  gather: { icon: 'gather', title: 'gather', ports: ['from', 'indices'], fields: [] },
  scatter: { icon: 'scatter', title: 'scatter', ports: ['into', 'indices', 'values'], fields: [] },
  reverse: { icon: 'shape', title: 'reverse', ports: ['values'], fields: [axis] },
  slice: {
    icon: 'shape',
    title: 'slice',
    ports: ['values'],
    fields: [
      { type: 'number', key: 'start', label: 'Start', hint: '0' },
      { type: 'number', key: 'stop', label: 'Stop', hint: 'end' },
      { type: 'number', key: 'step', label: 'Step', hint: '1' },
      axis,
    ],
  },
  shift: {
    icon: 'shape',
    title: 'shift',
    ports: ['values'],
    fields: [
      { type: 'number', key: 'by', label: 'By', hint: '1' },
      { type: 'number', key: 'fill', label: 'Fill', hint: '0' },
      axis,
    ],
  },
  transpose: {
    icon: 'shape',
    title: 'transpose',
    ports: ['values'],
    fields: [{ type: 'numbers', key: 'axes', label: 'Axes' }],
  },
  reshape: {
    icon: 'shape',
    title: 'reshape',
    ports: ['values'],
    fields: [{ type: 'numbers', key: 'shape', label: 'Shape' }],
  },
  concatenate: { icon: 'shape', title: 'concatenate', ports: ['values'], fields: [axis] },
  matmul: { icon: 'matmul', title: 'matrix product', ports: ['left', 'right'], fields: [] },
  'least-squares': {
    icon: 'objective',
    title: 'least squares',
    ports: ['prediction', 'observed'],
    optional: ['sigma', 'weights'],
    fields: [{ type: 'loss', key: 'loss', label: 'Loss' }],
  },
  likelihood: {
    icon: 'objective',
    title: 'likelihood',
    ports: ['observed'],
    optional: ['mean', 'sigma', 'probability', 'trials', 'scale', 'degrees', 'dispersion'],
    fields: [
      {
        type: 'choice',
        key: 'family',
        label: 'Family',
        choices: ['normal', 'poisson', 'binomial', 'student-t', 'negative-binomial', 'log-normal'].map((family) => ({
          value: family,
          label: family,
        })),
      },
    ],
  },
  quantity: {
    icon: 'quantity',
    title: 'quantity',
    ports: [],
    fields: [{ type: 'formula', key: 'formula', label: 'Formula' }],
  },
  group: { icon: 'group', title: 'group', ports: [], fields: [] },
} satisfies Record<string, Kind>;

const unknownKind: Kind = { icon: 'unknown', title: 'unknown kind', ports: [], fields: [] };

export function kindOf(name: string): Kind {
  return Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : unknownKind;
}

/** What each family of a likelihood must be given beside the observations. */
const familyKeys: Readonly<Record<string, readonly string[]>> = {
  normal: ['mean', 'sigma'],
  poisson: ['mean'],
  binomial: ['probability', 'trials'],
  'student-t': ['mean', 'scale', 'degrees'],
  'negative-binomial': ['mean', 'dispersion'],
  'log-normal': ['mean', 'sigma'],
};

/** The keys of a block that must be wired and those that may be; a key that holds a number needs no wire. */
export function portKeys(block: Readonly<Record<string, unknown>> & { readonly kind: string }): {
  readonly required: readonly string[];
  readonly optional: readonly string[];
} {
  const { ports, optional = [] } = kindOf(block.kind);
  const family = block.kind === 'likelihood' ? String(block['family']) : undefined;
  const more = family !== undefined && Object.hasOwn(familyKeys, family) ? familyKeys[family]! : [];
  const isNumber = (key: string) => typeof block[key] === 'number';
  return {
    required: [...ports, ...more].filter((key) => !isNumber(key)),
    optional: family === undefined ? optional.filter((key) => !isNumber(key)) : [],
  };
}

/** The operators that a document calls by name, in words and as a sign. */
export const operators = [
  { name: 'add', title: 'sum', sign: '\\Sigma' },
  { name: 'multiply', title: 'product', sign: '\\Pi' },
  { name: 'min', title: 'smallest', sign: '\\min' },
  { name: 'max', title: 'largest', sign: '\\max' },
  { name: 'logaddexp', title: 'log of the sum of exponentials', sign: '\\log\\Sigma e' },
] as const;

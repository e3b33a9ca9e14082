/** A document of thirty blocks, as a person draws them: doses, a smoothed curve, groups, counts in bins, a prior. */

const rows = 200;

const column = (cell: (row: number) => number): number[] => Array.from({ length: rows }, (_, row) => cell(row));

const columns = {
  t: column((i) => i / 10),
  y: column((i) => Math.exp(-i / 50) + ((i * 7919) % 13) / 100),
  dose: column((i) => (i % 24 === 0 ? 5 : 0)),
  temperature: column((i) => 20 + 5 * Math.sin(i / 9)),
  site: column((i) => i % 8),
  bin: column((i) => (i * 31) % 20),
};

/** (b₁, c₁) ∘ (b₂, c₂) of x ↦ b + c·x. */
const composition = {
  left: ['b1', 'c1'],
  right: ['b2', 'c2'],
  result: ['b2 + c2*b1', 'c2*c1'],
  neutral: [0, 1],
  commutative: false,
};

const parameter = (id: string, initial: number | readonly number[], more: object = {}) => ({
  ...{ id, kind: 'parameter', initial },
  ...more,
});
const data = (id: string, type: 'real' | 'int') => ({ id, kind: 'column', table: 'obs', column: id, type });

/** What a person may change between two looks at the gradient. */
export interface Edit {
  /** A number within the formula of `rate`. */
  readonly reference: number;
  /** Where the parameter `A` starts. */
  readonly initial: number;
}

export function thirtyBlocks({ reference, initial }: Edit): Readonly<Record<string, unknown>> {
  return {
    format: 'cotangent/1',
    name: 'Thirty blocks',
    tables: { obs: { columns } },
    blocks: [
      ...['t', 'y', 'dose', 'temperature'].map((id) => data(id, 'real')),
      ...['site', 'bin'].map((id) => data(id, 'int')),
      parameter('A', initial),
      parameter('k', 0.2, { prior: { family: 'normal', mean: 0.2, sd: 0.1 } }),
      parameter('ke', 0.1, { lower: 0.001 }),
      parameter('V', 2, { lower: 0.1 }),
      parameter('q10', 2, { lower: 1 }),
      parameter('lag', 1.2, { lower: 0.01 }),
      parameter('effect', [0, 0.1, -0.1, 0.05, 0, 0.02, -0.03, 0.01]),
      parameter('sigma', 0.3, { lower: 0.001 }),
      { id: 'last', kind: 'shift', values: 't', by: 1 },
      { id: 'dt', kind: 'map', formula: 't - last' },
      { id: 'rate', kind: 'map', formula: `ke * q10 ^ ((temperature - ${reference}) / 10)` },
      { id: 'step', kind: 'map', outputs: { gain: 'dose / V', keep: 'exp(-rate * dt)' } },
      {
        ...{ id: 'body', kind: 'scan', operator: composition },
        ...{ values: ['step.gain', 'step.keep'], outputs: ['amount', 'kept'] },
      },
      { id: 'offset', kind: 'gather', from: 'effect', indices: 'site' },
      { id: 'curve', kind: 'map', formula: 'A * exp(-k * t) + offset + amount', inputs: { amount: 'body.amount' } },
      {
        ...{ id: 'smooth', kind: 'recurrence', inputs: { u: 'curve' } },
        state: { s: { initial: 0, next: 's + (u - s) * lag / (1 + lag)' } },
      },
      { id: 'mix', kind: 'map', formula: '(curve + smooth) / 2' },
      { id: 'expected', kind: 'histogram', operator: 'add', keys: 'bin', values: 'mix', bins: 20 },
      { id: 'seen', kind: 'histogram', operator: 'add', keys: 'bin', values: 'y', bins: 20 },
      { id: 'peaks', kind: 'histogram', operator: 'max', keys: 'site', values: 'mix', bins: 8 },
      { id: 'peak', kind: 'reduce', operator: 'logaddexp', values: 'peaks' },
      { id: 'loss', kind: 'least-squares', prediction: 'mix', observed: 'y' },
      { id: 'counts', kind: 'likelihood', family: 'normal', observed: 'seen', mean: 'expected', sigma: 'sigma' },
      { id: 'penalty', kind: 'map', formula: 'peak / 100' },
    ],
    objective: ['loss', 'counts', 'penalty'],
  };
}

import { describe, expect, it } from 'vitest';
import type { RuleReport } from '../../../../src-renderer/state/adjoints/adjoint-view.ts';
import {
  announcementOf,
  magnitudeOf,
  measureText,
  missingText,
  ruleText,
  storedText,
  wireText,
} from '../../../../src-renderer/state/adjoints/adjoint-view.ts';
import type { WireAdjoint } from '../../../../src-renderer/state/adjoints/nan-origins.ts';

const wire: WireAdjoint = {
  block: 'loss',
  port: 'prediction',
  shape: [2, 3],
  largest: 4,
  norm: 5,
  effect: 30,
  missing: 0,
  sample: [],
};
const rule: RuleReport = {
  id: 'iv',
  construct: 'scan',
  rule: 'closed structure',
  stored: 1,
  of: 4,
  cost: 2.5,
  timesPrimal: 3.14,
  because: 'cost',
  passedOver: [{ rule: 'general', cost: 7.6 }],
};

describe('a wire', () => {
  it('has its effect in percent of the value, whatever the sign', () => {
    expect(magnitudeOf(wire, 'effect', -10)).toBe(3);
    expect(magnitudeOf(wire, 'largest', -10)).toBe(4);
    expect(measureText('effect', 'loss', -10)).toContain('in %');
  });

  it('has it in the unit of the value where that is 0 or unknown', () => {
    expect(magnitudeOf(wire, 'effect', 0)).toBe(0.3);
    expect(magnitudeOf(wire, 'effect', NaN)).toBe(0.3);
    expect(measureText('effect', 'loss', 0)).not.toContain('%,');
  });

  it('says where NaN stands', () => {
    expect(missingText(wire)).toBe('no NaN');
    expect(missingText({ ...wire, missing: 1, firstMissing: 4 })).toBe('NaN at [1, 1]');
    expect(missingText({ ...wire, missing: 2, firstMissing: 4 })).toBe('2 NaN, the first at [1, 1]');
    expect(missingText({ ...wire, shape: [], missing: 1, firstMissing: 0 })).toBe('NaN');
  });

  it('is read aloud', () => {
    expect(wireText(wire, 'effect', 'loss', 10)).toBe('effect 3');
    expect(wireText(undefined, 'effect', 'loss', 10)).toBe('not on a path to loss');
    const report = { value: 10, wires: [{ ...wire, effect: 1 }, wire], rules: [], program: '', milliseconds: 1 };
    expect(announcementOf(report, 'effect', 'loss')).toBe(
      'Adjoints of loss, 2 wires. The strongest goes to prediction of loss: 3.',
    );
    expect(announcementOf({ ...report, wires: [] }, 'effect', 'loss')).toBe('Adjoints of loss, 0 wires.');
  });
});

it('tells a rule with what it stores, costs and beat', () => {
  expect(ruleText(rule)).toBe(
    'scan: closed structure, 1 of 4 entries stored; 3.1× the block itself, estimated; 2.5 ns an element; passed over: general 7.6 ns',
  );
  expect(storedText({ ...rule, stored: null, of: null })).toBe('none');
  expect(ruleText({ ...rule, stored: null, of: null, timesPrimal: NaN, passedOver: [] })).toBe(
    'scan: closed structure; 2.5 ns an element',
  );
});

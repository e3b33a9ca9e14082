import { expect, it } from 'vitest';
import type { StudyReport } from '../../../../src-main/contract/studies.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { keptStudies, laterStudies, storedStudies } from '../../../../src-renderer/state/study/stored-studies.ts';
import { bootstrapReport, comparisonReport } from '../../../support/fits/study-report.ts';

const draft = (initial: number): Draft => ({
  ...{ format: 'cotangent/1', blocks: [{ id: 'k', kind: 'parameter', initial }] },
});
const parameters = { k: [1] };
const of = (report: StudyReport, about: Draft | null, stands = false) => ({ report, draft: about, parameters, stands });

it('comes back with the documents that it is of', () => {
  const [now, before] = [draft(2), draft(1)];
  const compared = comparisonReport('2026-01-01T00:00:00Z');
  const sampled = bootstrapReport('2026-01-01T00:00:01Z', 3);
  const found = [
    of(compared, before),
    of(sampled, before),
    of(compared, now),
    of(sampled, before, true),
    of(sampled, null),
  ];
  const stored = storedStudies(found, now);
  expect(stored.documents).toEqual([before]);
  expect(stored.studies.map(({ document }) => document)).toEqual([0, 0, undefined, undefined, null]);
  const read = draft(2);
  const same = keptStudies({ ...stored, same: true }, read);
  expect(same.map((study) => study.draft)).toEqual([before, before, read, read, null]);
  expect(same.map(({ report }) => report)).toEqual([compared, sampled, compared, sampled, sampled]);
  // Beside a document that another program has written nothing says of which they are.
  const other = keptStudies({ ...stored, same: false }, read);
  expect(other.map((study) => study.draft)).toEqual([before, before, null, null, null]);
});

it('has its draws, unless these are very many', () => {
  const drawn = (length: number) =>
    storedStudies([of(bootstrapReport('2026-01-01T00:00:00Z', length), null)], draft(1)).studies[0]!.report;
  expect(drawn(1000)).toHaveProperty('draws');
  expect(drawn(2_000_001)).not.toHaveProperty('draws');
});

it('is taken where it is later than what is shown, or has more of the same', () => {
  const [early, late] = [comparisonReport('2026-01-01T00:00:00Z'), comparisonReport('2026-01-02T00:00:00Z')];
  const { draws: _, ...told } = bootstrapReport('2026-01-01T00:00:00Z', 3);
  const whole = bootstrapReport('2026-01-01T00:00:00Z', 3);
  const own = draft(1);
  expect(laterStudies([of(early, own)], [of(late, null)])).toEqual([of(late, null)]);
  expect(laterStudies([of(late, own)], [of(early, null)])).toEqual([]);
  expect(laterStudies([], [of(early, null)])).toEqual([of(early, null)]);
  expect(laterStudies([of(told, own)], [of(whole, null)])).toEqual([of(whole, own)]);
});

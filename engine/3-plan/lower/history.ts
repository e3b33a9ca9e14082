import type { ConstructOf } from '../../0-ir/program.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import { coalesce, insertAxis, removeAxis } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import type { Access, Source } from '../plan.ts';
import { accessOf, broadcastView, reverseView, type Located, type View } from '../view.ts';
import { placesOf } from '../../0-ir/infer.ts';

/** A backward history is one whose accesses along the axis begin at the end. Its rows are there whoever reads them. */
export function lowerHistory(c: ConstructOf<'history'>, site: Site): Located[] {
  const across = withoutAxis(c.shape, c.axis);
  const carries = c.initial.length;
  const turn = <L extends Located>(located: L): L =>
    c.backward ? (reverseView(broadcastView(located, c.shape), c.axis) as L) : located;

  const [inputs, places] = [c.inputs, c.places].map((values) =>
    values.map((value) => site.source(turn(site.at(value)), c.shape)),
  ) as [Source[], Source[]];
  const [initial, fixed] = [c.initial, c.invariants].map((values) =>
    values.map((value) => insertAxis(site.source(site.at(value), across), c.axis)),
  ) as [Source[], Source[]];

  const found = c.asked ? placesOf(c) : 0;
  const written = c.backward ? placesOf(c) * c.columns : c.columns;
  const types = resultTypes(c.step);
  const outputs = types.slice(carries, types.length - written);
  const results = [
    ...types.slice(0, carries).map((element) => site.allocate(element, across)),
    ...outputs.map((element) => site.allocate(element, c.shape)),
    ...Array.from({ length: c.columns }, () => site.allocate('real', c.shape)),
    ...Array.from({ length: found }, () => site.allocate('int', c.shape)),
  ];
  const firstRow = carries + outputs.length;
  const isRow = (i: number): boolean => i >= firstRow && i < firstRow + c.columns;
  const accesses = results.map((result, i): Access | null => {
    if (!isRow(i) && !site.wanted(i)) return null;
    return i < carries ? insertAxis(accessOf(result), c.axis) : accessOf(turn<View>(result));
  });
  const { domain, axis, over } = coalesce(
    c.shape,
    [c.axis],
    [...inputs, ...places, ...initial, ...fixed, ...accesses.filter((access) => access !== null)],
  );
  const acrossAxis = axis(c.axis);
  const beside = <A extends Source | Access>(access: A): A => removeAxis(over(access), acrossAxis);
  const along = (access: Access | null): Access | null => access && over(access);
  site.emit({
    kind: 'history',
    domain,
    axis: acrossAxis,
    backward: c.backward,
    step: c.step,
    ...(c.asked && { asked: c.asked }),
    initial: initial.map(beside),
    inputs: inputs.map(over),
    places: places.map(over),
    invariants: fixed.map(beside),
    finals: accesses.slice(0, carries).map((access) => access && beside(access)),
    outputs: accesses.slice(carries, firstRow).map(along),
    rows: accesses.slice(firstRow, firstRow + c.columns).map((access) => over(access!)),
    found: accesses.slice(firstRow + c.columns).map(along),
  });
  return results;
}

import type { ConstructOf } from '../../0-ir/program.ts';
import { resultTypes, type ScalarFunction, type ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { withoutAxis, type Shape } from '../../0-ir/types.ts';
import { coalesce, insertAxis, removeAxis } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import type { Access, Source } from '../plan.ts';
import { accessOf, broadcastView, reverseView, type Constant, type Located, type View } from '../view.ts';

/** A reverse recurrence is a forward one whose accesses along the axis begin at the end. */
export function lowerRecurrence(c: ConstructOf<'recurrence'>, site: Site): Located[] {
  const across = withoutAxis(c.shape, c.axis);
  const carries = c.initial.length;
  const turn = <L extends Located>(located: L, shape = c.shape): L =>
    c.reverse ? (reverseView(broadcastView(located, shape), c.axis) as L) : located;
  const { reached } = c;
  const knots = reached && c.shape.with(c.axis, reached.count);

  const { step, inputs, invariants, kept } = foldConstants(c, site);
  const courses = reached?.inputs?.filter((_, i) => kept[i]);
  const inputSources = inputs.map((located, i) => {
    const shape = courses?.[i] === 'first' ? knots! : c.shape;
    return site.source(turn(located, shape), shape);
  });
  const from = reached?.from && site.source(turn(site.at(reached.from), knots), knots!);
  const [initial, fixed] = [c.initial.map(site.at), invariants].map((list) =>
    list.map((located) => insertAxis(site.source(located, across), c.axis)),
  ) as [Source[], Source[]];

  const types = resultTypes(c.step);
  const results = types.map((element, i) => site.allocate(element, i < carries ? across : shapeOf(c, i)));
  const written = results.map((result, i): Access | null => {
    if (!site.wanted(i)) return null;
    return i < carries ? insertAxis(accessOf(result), c.axis) : accessOf(turn<View>(result));
  });
  const mark = knots && !from ? site.allocate('int', knots) : undefined;
  const { domain, axis, over } = coalesce(
    c.shape,
    [c.axis],
    [
      ...inputSources,
      ...initial,
      ...fixed,
      ...written.filter((access) => access !== null),
      ...(from ? [from] : []),
      ...(mark ? [accessOf(mark)] : []),
    ],
  );
  const acrossAxis = axis(c.axis);
  const beside = <A extends Source | Access>(access: A): A => removeAxis(over(access), acrossAxis);
  site.emit({
    kind: 'recurrence',
    domain,
    axis: acrossAxis,
    step,
    initial: initial.map(beside),
    inputs: inputSources.map(over),
    invariants: fixed.map(beside),
    finals: written.slice(0, carries).map((access) => access && beside(access)),
    outputs: written.slice(carries).map((access) => access && over(access)),
    ...(c.every && { every: c.every.map((each) => each?.steps ?? 1) }),
    ...(c.rests !== undefined && { rests: c.rests }),
    ...(mark && { reached: over(accessOf(mark)) }),
    ...(from && courses && { back: { from: over(from), inputs: courses } }),
  });
  return mark ? [...results, mark] : results;
}

/** Of an output: the steps that are given, and what runs side by side. */
function shapeOf({ shape, axis, initial, every }: ConstructOf<'recurrence'>, result: number): Shape {
  const each = every?.[result - initial.length];
  return each === undefined ? shape : shape.map((size, at) => (at === axis ? each.count : size));
}

/** Constants among the inputs and invariants are written into the step. */
function foldConstants(
  c: ConstructOf<'recurrence'>,
  site: Site,
): { step: ScalarFunction; inputs: Located[]; invariants: Located[]; kept: boolean[] } {
  const inputs = c.inputs.map(site.at);
  const invariants = c.invariants.map(site.at);
  const read = [...inputs, ...invariants];
  const isConstant = (located: Located): located is Constant => located.kind === 'constant';
  const varying = {
    inputs: inputs.filter((x) => !isConstant(x)),
    invariants: invariants.filter((x) => !isConstant(x)),
    kept: inputs.map((x) => !isConstant(x)),
  };
  if (varying.inputs.length + varying.invariants.length === read.length) return { step: c.step, ...varying };
  const initialTypes = c.initial.map((value) => value.type.element);
  const keptTypes = [...varying.inputs, ...varying.invariants].map((located) => located.element);
  const step = scalarFunction([...initialTypes, ...keptTypes], (b, ...given) => {
    const state = given.slice(0, initialTypes.length);
    let next = initialTypes.length;
    const rest = read.map((located): ScalarOperand =>
      isConstant(located)
        ? { kind: 'literal', type: located.element, value: located.value }
        : (given[next++] as ScalarOperand),
    );
    return b.inline(c.step, [...state, ...rest]);
  });
  return { step, ...varying };
}

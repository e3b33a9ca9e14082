/**
 * view (map f x) = map f (view x) for reverse, transpose, slice and reshape, where nothing else reads the map: the view
 * of an array in memory costs nothing, and no longer stands between a map and what could take it in.
 */
import type { Construct, ConstructOf, Value } from '../0-ir/program.ts';
import { sameShape, type Shape } from '../0-ir/types.ts';
import { usesOf } from '../0-ir/walk.ts';
import { rewriteForward, type Rewrite, type Scope } from './rewrite.ts';
import { selectResults } from './scalar/edit-function.ts';

type View = ConstructOf<'reverse' | 'transpose' | 'slice' | 'reshape'>;

export const liftViews: Rewrite = (program, context) => {
  const uses = usesOf(program);
  const isReadOnce = (value: Value) => uses.get(value.id)?.length === 1 && !context.keep.has(value.id);
  return rewriteForward(program, context, ({ construct, results }, scope): Construct | undefined => {
    if (!isView(construct) || !isReadOnce(construct.value)) return undefined;
    const producer = scope.definition(construct.value);
    const map = producer?.construct;
    if (map?.kind !== 'map' || producer?.results.some(({ id }) => id !== construct.value.id && uses.has(id)))
      return undefined;
    if (construct.kind === 'reshape' && !map.inputs.every((input) => reshapesFreely(input, map.shape, scope)))
      return undefined;
    const result = producer!.results.findIndex(({ id }) => id === construct.value.id);
    return {
      kind: 'map',
      function: selectResults(map.function, [result]),
      shape: results[0]!.type.shape,
      inputs: map.inputs.map((input) => viewed(construct, input, map.shape, scope)),
    };
  });
};

/** Whether a reshape is no copy: not of what stretches, nor of another view. */
function reshapesFreely(input: Value, domain: Shape, scope: Scope): boolean {
  const definition = scope.definition(input)?.construct;
  return input.type.shape.length === 0 || (sameShape(input.type.shape, domain) && !(definition && isView(definition)));
}

function isView(construct: Construct): construct is View {
  return ['reverse', 'transpose', 'slice', 'reshape'].includes(construct.kind);
}

function viewed(view: View, input: Value, domain: Shape, scope: Scope): Value {
  if (input.type.shape.length === 0) return input;
  const value = sameShape(input.type.shape, domain)
    ? input
    : scope.emit({ kind: 'replicate', value: input, shape: domain })[0]!;
  return scope.emit({ ...view, value })[0]!;
}

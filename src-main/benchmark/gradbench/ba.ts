/**
 * `ba`: bundle adjustment, as ADBench has it (https://github.com/microsoft/ADBench). An observation of the point X by a camera
 * (r, C, f, u, k), of weight w, at the feature φ, errs by
 *
 *   w·(f·(1 + k₁ρ² + k₂ρ⁴)·q + u − φ)  and  1 − w²,   q = (p₁, p₂)/p₃,   ρ = ‖q‖,   p = R(r)·(X − C)
 *
 * where R(r) turns by ‖r‖ about r. Cameras [n, 11], points [m, 3], each alike; observation i, of p, is of camera i mod n and
 * point i mod m. The Jacobian is a sparse matrix by rows: for each observation 2 of 15 entries, then for each weight 1.
 */
import * as v from 'valibot';
import { arrayType, type Program, ProgramBuilder, realLiteral, type Value, vjp } from '../../../engine/index.ts';
import { reprojectionErrors } from './ba-errors.ts';
import { CAMERA, COLUMNS, columnsOf, POINT, rowStarts } from './ba-sparse.ts';
import { evaluation } from './evaluation.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const numbers = (length: number) => v.pipe(v.array(v.number()), v.length(length));

const schema = v.object({
  ...{ n: count, m: count, p: count, w: v.number() },
  ...{ cam: numbers(CAMERA), x: numbers(POINT), feat: numbers(2) },
});

type Bundle = v.InferOutput<typeof schema>;

const variables = Array.from({ length: COLUMNS }, (_, i) => `variable ${i}`);
const [ACROSS, DOWN, WEIGHT] = ['error across', 'error down', 'error of the weight'];

/** The errors of p observations, each by variables of its own: all derivatives that there are. */
function errors(p: number): Program {
  const b = new ProgramBuilder();
  const all = [...variables, 'feature 0', 'feature 1'].map((name) => b.parameter(name, arrayType('real', [p])));
  const [across, down] = b.map(reprojectionErrors, all) as [Value, Value];
  const weight = b.elementwise([all[COLUMNS - 1]!], (s, w) => s.apply('sub', realLiteral(1), s.apply('mul', w, w)));
  return b.finish({ [ACROSS]: across, [DOWN]: down, [WEIGHT]: weight });
}

/** Which camera and point the observations are of, and what `errors` takes of them. */
function observed(b: ProgramBuilder, { n, m, p }: Bundle): { camera: Value; point: Value; given: Value[] } {
  const real = (name: string, rows: number, width: number): Value =>
    b.parameter(name, arrayType('real', [rows, width]));
  const [cameras, points] = [real('cameras', n, CAMERA), real('points', m, POINT)];
  const [weights, features] = [real('weights', p, 1), real('features', p, 2)];
  const [camera, point] = ['camera', 'point'].map((name) => b.parameter(name, arrayType('int', [p]))) as [Value, Value];
  const tables = [b.gather(cameras, camera, 'fault'), b.gather(points, point, 'fault'), weights, features];
  const given = tables.flatMap((table) =>
    Array.from({ length: table.type.shape[1] as number }, (_, i) => b.reshape(b.slice(table, 1, i, 1), [p])),
  );
  return { camera, point, given };
}

/** Columns of [p] side by side. */
const beside = (b: ProgramBuilder, columns: readonly Value[], p: number): Value =>
  b.concatenate(
    columns.map((column) => b.reshape(column, [p, 1])),
    1,
  );

function objective(input: Bundle): Program {
  const b = new ProgramBuilder();
  const [across, down, weight] = b.emit({
    ...{ kind: 'call', program: errors(input.p), inputs: observed(b, input).given },
  }) as [Value, Value, Value];
  return b.finish({ reprojection: beside(b, [across, down], input.p), weight });
}

/** Of an observation 2 rows and 15 columns: each row is a pass in reverse, over all observations at once. */
function jacobian(input: Bundle): Program {
  const b = new ProgramBuilder();
  const { n, m, p } = input;
  const { camera, point, given } = observed(b, input);
  const all = errors(p);
  const row = (of: string, by: readonly string[]): Value[] => {
    const program = vjp({ ...all, results: all.results.filter(({ name }) => name === of) }, { of: [of], by });
    return b.emit({ kind: 'call', program, inputs: [...given, b.replicate(b.literal(1), [p])] }).slice(1);
  };
  const blocks = beside(
    b,
    [ACROSS, DOWN].flatMap((error) => row(error, variables)),
    p,
  );
  const values = b.concatenate([b.reshape(blocks, [2 * COLUMNS * p]), ...row(WEIGHT, variables.slice(-1))], 0);
  return b.finish({ values, columns: columnsOf(b, [n, m], camera, point), rows: rowStarts(b, p) });
}

function inputs({ n, m, p, cam, x, w, feat }: Bundle) {
  const times = (length: number, values: readonly number[]): number[] => Array.from({ length }, () => values).flat();
  const turns = (of: number): number[] => Array.from({ length: p }, (_, i) => i % of);
  return {
    ...{ cameras: times(n, cam), points: times(m, x), weights: times(p, [w]), features: times(p, feat) },
    ...{ camera: turns(n), point: turns(m) },
  };
}

/** Of what is the same for all observations, those of the first and the last entry: all that is answered. */
const some = (values: Float64Array): number[] => [...values.subarray(0, 2 * COLUMNS), values.at(-1)!];

export const ba = evaluation({
  name: 'ba',
  input: schema,
  functions: {
    objective: (input) => ({
      program: objective(input),
      inputs: inputs(input),
      answer: (result) => ({
        reproj_error: { elements: [...result('reprojection').subarray(0, 2)], repeated: input.p },
        w_err: { element: result('weight')[0], repeated: input.p },
      }),
    }),
    jacobian: (input) => ({
      program: jacobian(input),
      inputs: inputs(input),
      answer: (result) => ({ rows: some(result('rows')), cols: some(result('columns')), vals: some(result('values')) }),
    }),
  },
});

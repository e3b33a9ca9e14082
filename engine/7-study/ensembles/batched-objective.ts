/**
 * A fit's objective at many points u at once, for optimisers and chains that advance in lanes (lanes.ts): residuals with
 * their Jacobian, the energy with gradient and Hessian, or with its gradient alone. Points and derivatives are in the
 * optimiser's coordinates.
 */
import { profiles } from '../../2-ad/cost.ts';
import type { Program } from '../../0-ir/program.ts';
import type { Device } from '../../5-runtime/device.ts';
import { coordinateSlopes, fromCoordinate, type Coordinate } from '../../6-fit/coordinates.ts';
import {
  gradientName,
  jacobianName,
  withGradient,
  withHessian,
  withJacobian,
} from '../../6-fit/derivative-programs.ts';
import type { Linearisation } from '../../6-fit/levenberg-marquardt.ts';
import type { Quadratic } from '../../6-fit/newton.ts';
import type { FitProblem } from '../../6-fit/problem.ts';
import { withResults } from '../../6-fit/report.ts';
import { createEnsemble } from './ensemble.ts';
import type { AnswerAll } from './lanes.ts';

export interface Batched<A> {
  /** One answer for each point; NaN where the model has no value. Throws `Cancelled`. */
  readonly at: AnswerAll<Float64Array, A>;
  release(): void;
}

export interface Slope {
  readonly value: number;
  readonly gradient: Float64Array;
}

/** From a member's own results, by name. */
type Read<A> = (result: (name: string) => Float64Array, u: Float64Array) => A;

async function batched<A>(
  problem: Pick<FitProblem, 'parameters' | 'data' | 'sizes'>,
  device: Device,
  all: readonly Coordinate[],
  program: Program,
  read: Read<A>,
  cancel: Int32Array | undefined,
): Promise<Batched<A>> {
  const ensemble = await createEnsemble(device, { ...problem, program });
  return {
    async at(us) {
      const points = new Float64Array(us.length * all.length);
      us.forEach((u, m) =>
        all.forEach((coordinate, j) => (points[m * all.length + j] = fromCoordinate(coordinate, u[j] as number))),
      );
      const { values } = await ensemble.evaluate(points, cancel);
      return us.map((u, m) =>
        read((name) => {
          const every = values.get(name) as Float64Array;
          const length = every.length / us.length;
          return every.subarray(m * length, (m + 1) * length);
        }, u),
      );
    },
    release: () => ensemble.release(),
  };
}

const namesOf = (all: readonly Coordinate[]): string[] => [...new Set(all.map(({ parameter }) => parameter.name))];

/** All residuals one after the other, and their Jacobian's columns by u. */
export function batchedLinearisation(
  problem: FitProblem,
  device: Device,
  all: readonly Coordinate[],
  cancel?: Int32Array,
): Promise<Batched<Linearisation>> {
  const results = withResults(problem.program, problem.residuals);
  const program = withJacobian(results, problem.residuals, namesOf(all));
  const read: Read<Linearisation> = (result, u) => {
    const parts = problem.residuals.map(result);
    const residuals = Float64Array.from(parts.flatMap((part) => [...part]));
    const jacobian = all.map((coordinate, j) => {
      const { parameter, element } = coordinate;
      const [slope] = coordinateSlopes(coordinate, u[j] as number);
      const column = new Float64Array(residuals.length);
      let offset = 0;
      for (const [k, { length }] of parts.entries()) {
        const block = result(jacobianName(problem.residuals[k] as string, parameter.name));
        for (let i = 0; i < length; i++) column[offset + i] = slope * (block[element * length + i] as number);
        offset += length;
      }
      return column;
    });
    return { residuals, jacobian };
  };
  return batched(problem, device, all, program, read, cancel);
}

/** The energy with gradient and Hessian by u; the Hessian gains the scales' curvature on its diagonal. */
export function batchedQuadratic(
  problem: FitProblem,
  device: Device,
  all: readonly Coordinate[],
  cancel?: Int32Array,
): Promise<Batched<Quadratic>> {
  const program = withHessian(problem.program, problem.energy, namesOf(all), { profile: profiles[device.kind] });
  const read: Read<Quadratic> = (result, u) => {
    const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, u[j] as number));
    const byValue = all.map(({ parameter, element }) => result(gradientName(parameter.name))[element] as number);
    const hessian = all.map((row, i) =>
      Float64Array.from(all, ({ parameter, element }, j) => {
        const block = result(jacobianName(gradientName(row.parameter.name), parameter.name));
        const entry = block[element * row.parameter.initial.length + row.element] as number;
        const curvature = i === j ? (byValue[j] as number) * (slopes[j]?.[1] as number) : 0;
        return entry * (slopes[i]?.[0] as number) * (slopes[j]?.[0] as number) + curvature;
      }),
    );
    return {
      value: result(problem.energy)[0] as number,
      gradient: Float64Array.from(byValue, (g, j) => g * (slopes[j]?.[0] as number)),
      hessian,
    };
  };
  return batched(problem, device, all, program, read, cancel);
}

/** The result `of` with its gradient by u: what a Markov chain follows. */
export function batchedSlope(
  problem: Pick<FitProblem, 'program' | 'parameters' | 'data' | 'sizes'>,
  of: string,
  device: Device,
  all: readonly Coordinate[],
  cancel?: Int32Array,
): Promise<Batched<Slope>> {
  const program = withGradient(problem.program, of, namesOf(all), { profile: profiles[device.kind] });
  const read: Read<Slope> = (result, u) => ({
    value: result(of)[0] as number,
    gradient: Float64Array.from(all, (coordinate, j) => {
      const [slope] = coordinateSlopes(coordinate, u[j] as number);
      return slope * (result(gradientName(coordinate.parameter.name))[coordinate.element] as number);
    }),
  });
  return batched(problem, device, all, program, read, cancel);
}

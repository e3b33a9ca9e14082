/** The way from a program to the plan from which a backend generates code. */
import type { Program } from '../0-ir/program.ts';
import { optimize } from '../1-optimize/index.ts';
import { withRests } from '../1-optimize/resting.ts';
import { thinOutputs } from '../1-optimize/thin-outputs.ts';
import { withoutSolves } from '../2-ad/implicit/written-out.ts';
import { withoutDetach } from '../2-ad/without-detach.ts';
import { lower } from '../3-plan/lower.ts';
import type { Plan } from '../3-plan/plan.ts';

/**
 * `varying`: the names of the inputs that change from run to run; all, unless given. Throws `Cancelled` once word 0 of `cancel`
 * is not 0.
 */
export function compile(program: Program, varying?: ReadonlySet<string>, cancel?: Int32Array): Plan {
  const optimized = optimize(withoutDetach(withoutSolves(program)), { ...(varying && { varying }), cancel });
  return lower(withRests(thinOutputs(optimized)), varying);
}

/** The way from a program to what a backend generates code from, for every device that runs plans. */
import type { Program } from '../0-ir/program.ts';
import { inlineCalls } from '../0-ir/walk.ts';
import { optimize } from '../1-optimize/index.ts';
import { lower } from '../3-plan/lower.ts';
import type { Plan } from '../3-plan/plan.ts';

export function compile(program: Program, varying?: ReadonlySet<string>): Plan {
  const flat = inlineCalls(program);
  const optimized = optimize(flat, varying ? { varying } : {});
  return lower(optimized, varying);
}

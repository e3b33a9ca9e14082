/**
 * Programs become cheaper programs that compute the same.
 *
 * The rewrites below run in this order, again and again until none finds anything. What a rewrite may change in the last
 * bit is said at its head; all others leave every bit.
 */
import { heed } from '../0-ir/errors.ts';
import { mapNestedPrograms } from '../0-ir/construct-parts.ts';
import type { Construct, Program } from '../0-ir/program.ts';
import { inlineCalls } from '../0-ir/walk.ts';
import { commonComponents } from './common-components.ts';
import { constantComponents } from './constant-components.ts';
import { commonSubexpressions } from './cse.ts';
import { deadCode } from './dead-code.ts';
import { fuseMaps } from './fuse-maps.ts';
import { fuseCombining } from './fuse-combining.ts';
import { fuseEpilogue } from './fuse-epilogue.ts';
import { fuseRecurrences } from './fuse-recurrences.ts';
import { fuseVertical } from './fuse-vertical.ts';
import { liftViews } from './lift-views.ts';
import type { Rewrite, RewriteContext } from './rewrite.ts';
import { scalarSimplify } from './scalar-simplify.ts';
import { simplifyMap } from './simplify-map.ts';
import { simplifyRecurrence } from './simplify-recurrence.ts';
import { simplifyViews } from './simplify-views.ts';
import { splitMap } from './split-map.ts';
import { sumsOfChosen } from './sums-of-chosen.ts';
import { takeApart } from './take-apart.ts';

const simplifications: readonly Rewrite[] = [
  simplifyViews,
  simplifyMap,
  simplifyRecurrence,
  scalarSimplify,
  constantComponents,
  commonComponents,
  commonSubexpressions,
  deadCode,
];

/** Reductions come together before they take their producers in, so that these have one consumer. */
const fusions: readonly Rewrite[] = [
  liftViews,
  splitMap,
  fuseCombining,
  fuseRecurrences,
  fuseVertical,
  sumsOfChosen,
  fuseMaps,
];

export interface OptimizeOptions {
  /** Off: constructs stay apart, as differentiation and people like them. */
  readonly fuse?: boolean;
  /** Ids of values that must stay what they are, in memory once per run. */
  readonly keep?: ReadonlySet<number>;
  /** Names of the parameters that change from run to run: what depends on none is not fused into what does. All, unless said. */
  readonly varying?: ReadonlySet<string>;
  /** Throws `Cancelled` once its word 0 is not 0. */
  readonly cancel?: Int32Array | undefined;
}

export function optimize(program: Program, options: OptimizeOptions = {}): Program {
  const { fuse = true, keep = new Set<number>(), varying, cancel } = options;
  const changing = program.parameters.filter(({ name }) => varying?.has(name) ?? true);
  const context = { keep, varying: new Set(changing.map(({ value }) => value.id)), cancel };
  return optimizeBody(inlineCalls(program), context, fuse);
}

/** More rounds than any program has needed; each is a whole pass over everything. */
const roundLimit = 20;

function optimizeBody(program: Program, context: RewriteContext, fuse: boolean): Program {
  const inner = withOptimizedLoops(program, context, fuse);
  const simpler = simplify(inner, context);
  if (!fuse) return simpler;
  const fused = repeated([simplify, ...fusions])(takeApart(simpler, context), context);
  // What has an epilogue fuses with nothing any more.
  return simplify(fuseEpilogue(fused, context), context);
}

function repeated(rewrites: readonly Rewrite[]): Rewrite {
  return (program, context) => {
    let idle = 0;
    for (let turn = 0; idle < rewrites.length && turn < roundLimit * rewrites.length; turn++) {
      heed(context.cancel);
      const before = program;
      program = rewrites[turn % rewrites.length]!(program, context);
      idle = program === before ? idle + 1 : 0;
    }
    return program;
  };
}

const simplify = repeated(simplifications);

/** In the body of a loop the index and the carries change, the invariants do not. */
function withOptimizedLoops(program: Program, { cancel }: RewriteContext, fuse: boolean): Program {
  const statements = program.statements.map((statement) => {
    const { construct } = statement;
    return construct.kind === 'loop' ? { ...statement, construct: optimizeLoop(construct, cancel, fuse) } : statement;
  });
  return { ...program, statements };
}

function optimizeLoop(
  construct: Construct & { kind: 'loop' },
  cancel: RewriteContext['cancel'],
  fuse: boolean,
): Construct {
  const changing = construct.body.parameters.slice(0, 1 + construct.initial.length);
  const context = { keep: new Set<number>(), varying: new Set(changing.map(({ value }) => value.id)), cancel };
  return mapNestedPrograms(construct, (body) => optimizeBody(body, context, fuse));
}

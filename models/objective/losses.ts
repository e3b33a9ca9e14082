/**
 * Robust losses ρ of a scaled residual u, with ρ(u) = u² for small u (scipy's convention, c the scale):
 * huber: u² up to |u| = c, then 2c|u| − c²; soft-l1: 2c²(√(1 + u²/c²) − 1); cauchy: c²·log(1 + u²/c²).
 */
import { realLiteral, type ScalarOperand } from '../../engine/index.ts';
import type { LossName } from '../facts/families.ts';
import type { Expression } from './expression.ts';

export interface Loss {
  readonly kind: 'squares' | LossName;
  readonly scale: number;
}

/** ρ as a function of q = u². */
export function lossValue(s: Expression, loss: Loss, q: ScalarOperand): ScalarOperand {
  const c = loss.scale;
  const square = realLiteral(c * c);
  switch (loss.kind) {
    case 'squares':
      return q;
    case 'huber':
      return s.choose(
        s.apply('le', q, square),
        () => q,
        () => s.subtract(s.multiply(realLiteral(2 * c), s.apply('sqrt', q)), square),
      );
    case 'soft-l1':
      // 2c²(√(1 + z) − 1) without its cancellation: 2q/(√(1 + z) + 1)
      return s.divide(s.multiply(realLiteral(2), q), rootAboveOne(s, s.divide(q, square)));
    case 'cauchy':
      return s.multiply(square, s.apply('log1p', s.divide(q, square)));
  }
}

/** The residual whose square is ρ(u): sign(u)·√ρ(u), smooth at 0, so that methods for sums of squares fit robustly. */
export function lossResidual(s: Expression, loss: Loss, u: ScalarOperand): ScalarOperand {
  const c = loss.scale;
  const z = (): ScalarOperand => s.divide(s.multiply(u, u), realLiteral(c * c));
  switch (loss.kind) {
    case 'squares':
      return u;
    case 'huber': {
      const size = s.apply('abs', u);
      return s.choose(
        s.apply('le', size, realLiteral(c)),
        () => u,
        () => {
          const rho = s.subtract(s.multiply(realLiteral(2 * c), size), realLiteral(c * c));
          return s.multiply(s.apply('sign', u), s.apply('sqrt', rho));
        },
      );
    }
    case 'soft-l1':
      return s.multiply(u, s.apply('sqrt', s.divide(realLiteral(2), rootAboveOne(s, z()))));
    case 'cauchy': {
      const ratio = z();
      return s.choose(
        s.apply('lt', ratio, realLiteral(1e-8)),
        // log(1 + z)/z = 1 − z/2 + …, of which the root is 1 − z/4 + …
        () => s.multiply(u, s.subtract(realLiteral(1), s.multiply(realLiteral(0.25), ratio))),
        () => s.multiply(u, s.apply('sqrt', s.divide(s.apply('log1p', ratio), ratio))),
      );
    }
  }
}

function rootAboveOne(s: Expression, z: ScalarOperand): ScalarOperand {
  return s.add(s.apply('sqrt', s.add(realLiteral(1), z)), realLiteral(1));
}

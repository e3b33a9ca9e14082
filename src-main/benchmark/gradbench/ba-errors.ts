/** Of `ba`: how far an observation is from where a camera would show the point. See ba.ts for the equation and its names. */
import {
  realLiteral,
  type ScalarBuilder,
  type ScalarFunction,
  scalarFunction,
  type ScalarOperand,
} from '../../../engine/index.ts';

type Three = readonly [ScalarOperand, ScalarOperand, ScalarOperand];

const dot = (s: ScalarBuilder, x: readonly ScalarOperand[], y: readonly ScalarOperand[]): ScalarOperand =>
  x.map((each, i) => s.apply('mul', each, y[i]!)).reduce((sum, each) => s.apply('add', sum, each));

const cross = (s: ScalarBuilder, [x1, x2, x3]: Three, [y1, y2, y3]: Three): Three => {
  const minor = (a: ScalarOperand, b: ScalarOperand, c: ScalarOperand, d: ScalarOperand): ScalarOperand =>
    s.apply('sub', s.apply('mul', a, b), s.apply('mul', c, d));
  return [minor(x2, y3, x3, y2), minor(x3, y1, x1, y3), minor(x1, y2, x2, y1)];
};

/**
 * x turned by θ = ‖r‖ about r: x·cos θ + (r × x)·sin θ/θ + r·(r·x)·(1 − cos θ)/θ², and x + r × x where r = 0, which has the
 * derivatives that a rotation has there. Without a branch: θ is 1 there where it divides, and 0 where it is an angle.
 */
function rotated(s: ScalarBuilder, r: Three, x: Three): Three {
  const square = dot(s, r, r);
  const none = s.apply('real', s.apply('eq', square, realLiteral(0)));
  const divisor = s.apply('sqrt', s.apply('add', square, none));
  const angle = s.apply('mul', divisor, s.apply('sub', realLiteral(1), none));
  const cosine = s.apply('cos', angle);
  const across = s.apply('add', s.apply('div', s.apply('sin', angle), divisor), none);
  const versine = s.apply('div', s.apply('sub', realLiteral(1), cosine), s.apply('mul', divisor, divisor));
  const along = s.apply('mul', dot(s, r, x), versine);
  const perpendicular = cross(s, r, x);
  return x.map((each, i) => {
    const kept = s.apply('add', s.apply('mul', each, cosine), s.apply('mul', perpendicular[i]!, across));
    return s.apply('add', kept, s.apply('mul', r[i]!, along));
  }) as unknown as Three;
}

/** (r₁ r₂ r₃ C₁ C₂ C₃ f u₁ u₂ k₁ k₂, X₁ X₂ X₃, w, φ₁ φ₂) ↦ the two components of w·(… − φ). */
export const reprojectionErrors: ScalarFunction = scalarFunction(
  Array.from({ length: 17 }, () => 'real' as const),
  (s, ...o) => {
    const [focal, centre, radial] = [o[6]!, o.slice(7, 9), o.slice(9, 11)];
    const [point, weight, feature] = [o.slice(11, 14), o[14]!, o.slice(15)];
    const from = point.map((x, i) => s.apply('sub', x, o[3 + i]!)) as unknown as Three;
    const [p1, p2, p3] = rotated(s, o.slice(0, 3) as unknown as Three, from);
    const q = [s.apply('div', p1, p3), s.apply('div', p2, p3)] as const;
    const square = dot(s, q, q);
    const stretch = s.apply('add', radial[0]!, s.apply('mul', radial[1]!, square));
    const scale = s.apply('mul', focal, s.apply('add', realLiteral(1), s.apply('mul', square, stretch)));
    return q.map((each, i) => {
      const shown = s.apply('add', s.apply('mul', scale, each), centre[i]!);
      return s.apply('mul', weight, s.apply('sub', shown, feature[i]!));
    });
  },
);

/** The families of `likelihood`: −log p(y) with its constants. One file a family. */
import type { FamilyName } from '../facts/families.ts';
import { beta } from './families/beta.ts';
import { binomial } from './families/binomial.ts';
import { density } from './families/density.ts';
import type { Family } from './families/family.ts';
import { gamma } from './families/gamma.ts';
import { laplace } from './families/laplace.ts';
import { logLaplace } from './families/log-laplace.ts';
import { logNormal } from './families/log-normal.ts';
import { negativeBinomial } from './families/negative-binomial.ts';
import { normal } from './families/normal.ts';
import { ordinal } from './families/ordinal.ts';
import { poisson } from './families/poisson.ts';
import { studentT } from './families/student-t.ts';
import { zeroInflatedPoisson } from './families/zero-inflated-poisson.ts';

export const families = {
  normal,
  'student-t': studentT,
  'log-normal': logNormal,
  laplace,
  'log-laplace': logLaplace,
  gamma,
  beta,
  poisson,
  'negative-binomial': negativeBinomial,
  'zero-inflated-poisson': zeroInflatedPoisson,
  binomial,
  ordinal,
  density,
} as const satisfies { readonly [F in FamilyName]: Family };

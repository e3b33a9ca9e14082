/** The elementary functions: scalar operations for which WebAssembly has no instruction and we a function. */
import type { ScalarOperation } from '../../../0-ir/scalar-operations.ts';

export type ElementaryOperation = Extract<
  ScalarOperation,
  | 'exp'
  | 'exp2'
  | 'expm1'
  | 'log'
  | 'log2'
  | 'log10'
  | 'log1p'
  | 'sin'
  | 'cos'
  | 'tan'
  | 'asin'
  | 'acos'
  | 'atan'
  | 'atan2'
  | 'sinh'
  | 'cosh'
  | 'tanh'
  | 'erf'
  | 'erfc'
  | 'lgamma'
  | 'digamma'
  | 'polygamma'
  | 'cbrt'
  | 'hypot'
  | 'pow'
  | 'logistic'
  | 'logaddexp'
  | 'xlogy'
>;

/** The elementary functions of one module, each defined where it is first used. */
import { operationInfo } from '../../../0-ir/scalar-operations.ts';
import { get, type Callee, type Expression } from '../wasm/expression.ts';
import { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { Algebra, type Shape, type Library } from './algebra.ts';
import type { ElementaryOperation } from './operation.ts';
import { elementaryFunction } from './table.ts';

/** Each function is defined when it is first asked for; others may be under construction meanwhile. */
export function elementaryLibrary(module: ModuleBuilder): Library {
  const known = new Map<string, Callee>();
  type Constants = Map<number | bigint | string, Expression>;
  const constants: { readonly [S in Shape]: Constants } = {
    f64: new Map(),
    f64x2: new Map(),
    f32: new Map(),
    f32x4: new Map(),
  };
  const library: Library = {
    functionOf(operation, shape) {
      const name = `${operation} ${shape}`;
      let callee = known.get(name);
      if (!callee) {
        callee = define(module, operation, shape, library);
        known.set(name, callee);
      }
      return callee;
    },
    constant(shape, value, write) {
      const key = Object.is(value, -0) ? '-0' : value;
      let constant = constants[shape].get(key);
      if (!constant) constants[shape].set(key, (constant = module.constant(write())));
      return constant;
    },
  };
  return library;
}

function define(module: ModuleBuilder, operation: ElementaryOperation, shape: Shape, library: Library): Callee {
  const type = shape === 'f64' || shape === 'f32' ? shape : 'v128';
  const takes = Array.from({ length: operationInfo(operation).arity }, () => type);
  const f = new FunctionBuilder(takes, type);
  const operands = f.parameters.map(get) as [Expression, Expression];
  return module.define(f, elementaryFunction(operation)(new Algebra(f, shape, library), ...operands));
}

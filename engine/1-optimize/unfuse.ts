/**
 * Plain constructs, as differentiation wants them: reduce ⊙ (prologue f) xs = reduce ⊙ (map f xs), prologues and epilogues
 * written out as maps; and a key that all elements of a histogram or keyed scan share, repeated for each of them.
 */
import { mapNestedPrograms } from '../0-ir/construct-parts.ts';
import type {
  Construct,
  HistogramConstruct,
  KeyedScanConstruct,
  Program,
  ScanConstruct,
  SegmentedScanConstruct,
  Value,
} from '../0-ir/program.ts';
import { sameShape } from '../0-ir/types.ts';
import { rewriteForward, type Scope } from './rewrite.ts';

export function unfuse(program: Program): Program {
  const context = { keep: new Set<number>(), varying: new Set<number>() };
  return rewriteForward(program, context, ({ construct }, scope) => plain(construct, scope));
}

function plain(c: Construct, scope: Scope): Construct | readonly Value[] | undefined {
  switch (c.kind) {
    case 'reduce':
      return withoutPrologue(c, scope);
    case 'scan':
    case 'segmented-scan':
      return withoutFusedMaps(c, scope);
    case 'histogram': {
      const whole = withWholeKeys(c, scope);
      return withoutPrologue(whole ?? c, scope) ?? whole;
    }
    case 'keyed-scan': {
      const whole = withWholeKeys(c, scope);
      const plain = withoutPrologue(whole ?? c, scope) ?? whole;
      return (plain ?? c).epilogue ? shownByMap(plain ?? c, scope) : plain;
    }
    case 'loop':
    case 'call':
      return mapNestedPrograms(c, unfuse);
    default:
      return undefined;
  }
}

function withoutFusedMaps<C extends ScanConstruct | SegmentedScanConstruct>(c: C, scope: Scope): Construct | undefined {
  const plain = withoutPrologue(c, scope);
  const { epilogue, ...rest } = plain ?? c;
  if (!epilogue) return plain;
  const inputs = [...scope.emit(rest), ...epilogue.inputs];
  return { kind: 'map', function: epilogue.function, shape: c.shape, inputs };
}

function shownByMap({ epilogue, ...rest }: KeyedScanConstruct, scope: Scope): Value[] {
  const results = scope.emit(rest);
  const d = results.length / 2;
  if (!epilogue) return results;
  const inputs = [...results.slice(0, d), ...epilogue.inputs];
  return [...scope.emit({ kind: 'map', function: epilogue.function, shape: rest.shape, inputs }), ...results.slice(d)];
}

function withoutPrologue<C extends Extract<Construct, { prologue?: unknown }>>(c: C, scope: Scope): C | undefined {
  const { prologue, ...rest } = c;
  if (!prologue) return undefined;
  const inputs = scope.emit({ kind: 'map', function: prologue, shape: c.shape, inputs: c.inputs });
  return { ...rest, inputs } as unknown as C;
}

/** Batch axes stay as they are: the literal 1 stretches there. */
function withWholeKeys<C extends HistogramConstruct | KeyedScanConstruct>(c: C, scope: Scope): C | undefined {
  const shape = [...c.keys.type.shape.slice(0, c.batch), c.shape[c.batch]!];
  if (sameShape(shape, c.keys.type.shape)) return undefined;
  const [keys] = scope.emit({ kind: 'replicate', value: c.keys, shape });
  return keys && { ...c, keys };
}

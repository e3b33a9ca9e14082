/** Reads what print.ts writes: for tests and for programs given as text. `verify` says whether they hold together. */
import type { Operator } from './operators.ts';
import { parseElementType, parseFunction, parseLiteral, parseOperator } from './parse-scalar.ts';
import type { Construct, ConstructKind, ConstructOf, Named, Parameter, Program, Statement, Value } from './program.ts';
import type { ScalarFunction } from './scalar.ts';
import { Scanner } from './scanner.ts';
import type { ArrayType } from './types.ts';

type Known = Map<number, Value>;

const parsers: { [K in ConstructKind]: (scanner: Scanner, known: Known) => Omit<ConstructOf<K>, 'kind'> } = {
  literal(s) {
    const { type: element, value } = parseLiteral(s);
    return { element, value };
  },
  map: (s, known) => ({ shape: s.shape(), function: parseFunction(s), inputs: values(s, known) }),
  reduce: (s, known) => ({ shape: s.shape(), axis: labelled(s, 'along'), ...combining(s, known) }),
  scan: (s, known) => ({ ...scanHead(s), ...scanning(s, known) }),
  'segmented-scan'(s, known) {
    const head = scanHead(s);
    s.want('flags');
    return { ...head, flags: value(s, known), ...scanning(s, known) };
  },
  histogram: (s, known) => ({ ...binsHead(s), ...binsOperands(s, known), ...combining(s, known) }),
  'keyed-scan': (s, known) => ({
    ...binsHead(s),
    ...direction(s),
    ...binsOperands(s, known),
    ...scanning(s, known),
  }),
  recurrence(s, known) {
    const [shape, axis, reverse, step] = [s.shape(), labelled(s, 'along'), s.take('reverse'), parseFunction(s)];
    return { shape, axis, reverse, step, ...labelledValues(s, known, ['initial', 'inputs', 'invariants']) };
  },
  history(s, known) {
    const [shape, axis, backward] = [s.shape(), labelled(s, 'along'), s.take('backward')];
    const [columns, step] = [labelled(s, 'columns'), parseFunction(s)];
    const asked = s.take('asked') ? { asked: parseFunction(s) } : {};
    const operands = labelledValues(s, known, ['initial', 'inputs', 'places', 'invariants']);
    return { shape, axis, backward, columns, step, ...asked, ...operands };
  },
  solve(s, known) {
    const shape = s.shape();
    s.want('in');
    const [iterations, linear, residual] = [s.size(), s.take('linear'), parseFunction(s)];
    return { shape, iterations, linear, residual, ...labelledValues(s, known, ['initial', 'given']) };
  },
  loop: (s, known) => ({
    count: s.size(),
    body: parseBody(s),
    ...labelledValues(s, known, ['initial', 'invariants']),
  }),
  gather(s, known) {
    const from = value(s, known);
    s.want('at');
    const indices = value(s, known);
    const batch = labelled(s, 'batch');
    s.want('outside');
    const outside = s.wantMatch(/(?:nan|zero|fault)\b/, 'nan, zero or fault') as 'nan' | 'zero' | 'fault';
    return { from, indices, batch, outside };
  },
  scatter(s, known) {
    const rows = value(s, known);
    s.want('into');
    const into = value(s, known);
    s.want('at');
    return {
      into,
      indices: value(s, known),
      values: rows,
      batch: labelled(s, 'batch'),
      checked: s.take('checked'),
    };
  },
  'sort-permutation'(s, known) {
    const keys = value(s, known);
    return s.take('bound') ? { keys, bound: s.size() } : { keys };
  },
  iota: (s) => ({ length: s.size(), ...(s.take('missing') && { missing: true }) }),
  replicate: (s, known) => ({ value: value(s, known), shape: shapeAfter(s, 'to') }),
  reverse: (s, known) => ({ value: value(s, known), axis: labelled(s, 'along') }),
  transpose: (s, known) => ({ value: value(s, known), permutation: shapeAfter(s, 'by').map(Number) }),
  reshape: (s, known) => ({ value: value(s, known), shape: shapeAfter(s, 'to') }),
  slice(s, known) {
    const [from, axis] = [value(s, known), labelled(s, 'along')];
    s.want('from');
    const start = s.size();
    s.want('length');
    const length = s.size();
    s.want('step');
    return { value: from, axis, start, length, step: Number(s.size()) };
  },
  concatenate: (s, known) => ({ values: values(s, known), axis: labelled(s, 'along') }),
  matmul(s, known) {
    const [left, right] = values(s, known);
    return left && right ? { left, right } : s.refuse('matmul takes two values');
  },
  call: (s, known) => ({ program: parseBody(s), inputs: values(s, known) }),
};

/** Throws an `IrError` that names line and column where the text is not a program. */
export function parseProgram(text: string): Program {
  const scanner = new Scanner(text);
  const program = parseBody(scanner);
  scanner.end();
  return program;
}

export function parseScalarFunction(text: string): ScalarFunction {
  const scanner = new Scanner(text);
  const fn = parseFunction(scanner);
  scanner.end();
  return fn;
}

function parseBody(s: Scanner): Program {
  const known: Known = new Map();
  s.want('program');
  s.want('(');
  const parameters = s.list(')', (): Parameter => {
    const id = valueId(s);
    const name = s.name();
    const value = define(id, typeAfterColon(s), known);
    return { name, value, ...(s.take('missing') && { missing: true }) };
  });
  const statements: Statement[] = [];
  s.want('{');
  while (!s.take('yield')) statements.push(parseStatement(s, known));
  const results = s.list('}', (): Named => {
    const name = s.name();
    s.want('=');
    return { name, value: value(s, known) };
  });
  return { parameters, statements, results };
}

function parseStatement(s: Scanner, known: Known): Statement {
  const targets = s.list('=', () => ({ id: valueId(s), type: typeAfterColon(s) }));
  const kind = s.wantMatch(/[a-z-]+/, 'a construct');
  if (!Object.hasOwn(parsers, kind)) s.refuse(`there is no construct ${kind}`);
  const fields = parsers[kind as ConstructKind](s, known);
  const results = targets.map(({ id, type }) => define(id, type, known));
  const origin = s.take('@') ? s.name() : undefined;
  return { results, construct: { kind, ...fields } as Construct, ...(origin !== undefined && { origin }) };
}

function scanHead(s: Scanner) {
  return { shape: s.shape(), axis: labelled(s, 'along'), ...direction(s) };
}

function direction(s: Scanner) {
  return { exclusive: s.take('exclusive'), reverse: s.take('reverse') };
}

function binsHead(s: Scanner) {
  const [shape, batch] = [s.shape(), labelled(s, 'batch')];
  s.want('bins');
  return { shape, batch, bins: s.size() };
}

function binsOperands(s: Scanner, known: Known) {
  s.want('keys');
  const keys = value(s, known);
  const initial = s.take('initial') ? values(s, known) : undefined;
  return { keys, ...(initial && { initial }) };
}

function combining(s: Scanner, known: Known) {
  const operator: Operator = parseOperator(s);
  const prologue = s.take('prologue') ? parseFunction(s) : undefined;
  return { operator, ...(prologue && { prologue }), inputs: values(s, known) };
}

function scanning(s: Scanner, known: Known) {
  const combined = combining(s, known);
  if (!s.take('epilogue')) return combined;
  return { ...combined, epilogue: { function: parseFunction(s), inputs: values(s, known) } };
}

function typeAfterColon(s: Scanner): ArrayType {
  s.want(':');
  const element = parseElementType(s);
  return { element, shape: s.is('[') ? s.shape() : [] };
}

function labelled(s: Scanner, label: string): number {
  s.want(label);
  return s.whole(`a number after ${label}`);
}

function shapeAfter(s: Scanner, label: string) {
  s.want(label);
  return s.shape();
}

function labelledValues<L extends string>(s: Scanner, known: Known, labels: readonly L[]): Record<L, Value[]> {
  const entries = labels.map((label) => {
    s.want(label);
    return [label, values(s, known)];
  });
  return Object.fromEntries(entries) as Record<L, Value[]>;
}

function values(s: Scanner, known: Known): Value[] {
  s.want('(');
  return s.list(')', () => value(s, known));
}

function value(s: Scanner, known: Known): Value {
  const id = valueId(s);
  return known.get(id) ?? s.refuse(`%${id} is used before it is defined`);
}

function valueId(s: Scanner): number {
  return Number(s.wantMatch(/%\d+/, 'a value').slice(1));
}

function define(id: number, type: ArrayType, known: Known): Value {
  const defined = { id, type };
  known.set(id, defined);
  return defined;
}

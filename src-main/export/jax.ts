/** `export --to jax`: the model as a Python module on JAX, which differentiates it there. */
import type { Value } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import { roomText } from './grown-sizes.ts';
import { Identifiers } from './identifiers.ts';
import { pythonArray, writeProgram, type Body } from './jax/constructs.ts';
import { helperNames, helpersFor } from './jax/helpers.ts';
import { pythonNumber } from './jax/scalar.ts';
import { describeBlock, modelProgram, titleOf, type ModelProgram } from './model-program.ts';

/** What no generated name may be. */
export const pythonWords: readonly string[] =
  `False None True and as assert async await break class continue def del elif else except finally for
from global if import in is lambda nonlocal not or pass raise return try while with yield match case
abs all any bool dict float int len list map max min print range round set sum tuple zip
jax jnp np lax math json parameters initial bounds fixed outputs objective posterior __name__`.split(/\s+/);

const doc = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/\s*\n\s*/g, ' ');
const quoted = (text: string): string => JSON.stringify(text);
const indented = (lines: readonly string[]): string => lines.map((line) => `    ${line}`).join('\n');

export function exportJax(model: Model, version: string, grown: ModelProgram['sizes'] = {}): string {
  const lowered = modelProgram(model, grown);
  const names = new Identifiers([...pythonWords, ...helperNames, ...Object.keys(lowered.sizes)]);
  const known = new Map<number, string>();
  const data = writeData(lowered, names, known);
  const model_ = writeModel(model, lowered, { names: names.inner(), known, lines: [] });
  const parts = [
    head(model, lowered, version),
    [
      'import json',
      'import math',
      '',
      'import jax',
      'import jax.numpy as jnp',
      'import numpy as np',
      'from jax import lax',
    ].join('\n'),
    'jax.config.update("jax_enable_x64", True)',
    [
      ...[roomText(lowered.sizes)].flatMap((text) => (text === undefined ? [] : [`# ${text}`])),
      ...Object.entries(lowered.sizes).map(([name, size]) => `${name} = ${size}`),
    ].join('\n'),
    data,
    writeParameters(lowered),
    ...helpersFor(`${data}\n${model_}`).map((helper) => `\n${helper}`),
    `\n${model_}`,
    ...doors(lowered).map((door) => `\n${door}`),
  ];
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;
}

function head(model: Model, { data, objective, meaning }: ModelProgram, version: string): string {
  const elements = data.reduce((sum, [, , { values }]) => sum + values.length, 0);
  const lines = [
    `"""${doc(titleOf(model))}`,
    '',
    `Written by Cotangent ${version}. The data are embedded: ${data.length} arrays, ${elements} elements.`,
    '',
    '    outputs(parameters)    every block, by id',
    ...(objective ? [`    objective(parameters)  ${meaning}; jax.grad differentiates it`] : []),
    '    initial, bounds, fixed parameters by id',
    '"""',
  ];
  return lines.join('\n');
}

function writeData({ data }: ModelProgram, names: Identifiers, known: Map<number, string>): string {
  return data
    .map(([name, value, { values, shape }]) => {
      const identifier = names.take(name);
      known.set(value.id, identifier);
      return `${identifier} = ${pythonArray(value.type.element, values, shape)}`;
    })
    .join('\n');
}

function writeParameters({ parameters }: ModelProgram): string {
  const entries = (write: (parameter: ModelProgram['parameters'][number]) => string): string[] =>
    parameters.map((parameter) => `    ${quoted(parameter.id)}: ${write(parameter)},`);
  return [
    'initial = {',
    ...entries(({ initial, shape }) => pythonArray('real', initial, shape)),
    '}',
    'bounds = {',
    ...entries(({ lower, upper, shape }) => `(${bound(lower, shape)}, ${bound(upper, shape)})`),
    '}',
    `fixed = {${parameters.flatMap(({ id, fixed }) => (fixed ? [quoted(id)] : [])).join(', ')}}`.replace('{}', 'set()'),
  ].join('\n');
}

/** One number where all elements have the same. */
function bound(values: readonly number[], shape: readonly number[]): string {
  const [first = NaN] = values;
  return values.every((value) => Object.is(value, first)) ? pythonNumber(first) : pythonArray('real', values, shape);
}

/** One function of everything; `jit` leaves out what is not asked for. */
function writeModel(model: Model, lowered: ModelProgram, body: Body): string {
  const { program, outputs } = lowered;
  const wished = new Map<number, string>([...outputs].reverse().map(([reference, { id }]) => [id, reference] as const));
  const isParameter = new Set(lowered.parameters.map(({ id }) => id));
  for (const { name, value } of program.parameters)
    if (isParameter.has(name)) {
      const identifier = body.names.take(name);
      body.known.set(value.id, identifier);
      body.lines.push(`${identifier} = jnp.asarray(parameters[${quoted(name)}], jnp.float64)`);
    }
  const blocks = new Map(model.graph.nodes.map(({ id, block }) => [id, block] as const));
  let last: string | undefined;
  writeProgram(
    program,
    body,
    ({ id }, origin) => wished.get(id) ?? origin ?? 'objective',
    (origin) => {
      const block = origin === undefined || origin === last ? undefined : blocks.get(origin);
      last = origin;
      if (block) body.lines.push('', `# ${origin}, ${describeBlock(block)}`);
    },
  );
  const text = (value: Value | undefined): string => (value ? body.known.get(value.id)! : 'None');
  const returned = [
    'return {',
    ...outputs.map(([reference, value]) => `    ${quoted(reference)}: ${text(value)},`),
    `}, ${text(lowered.objective)}, ${text(lowered.posterior)}`,
  ];
  return `def _model(parameters):\n${indented([...body.lines, '', ...returned])}`.replaceAll(/^ +$/gm, '');
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function doors({ objective, posterior, meaning, posteriorMeaning }: ModelProgram): string[] {
  const door = (name: string, index: number, what: string): string =>
    `def ${name}(parameters):\n    """${what}"""\n    return _model(parameters)[${index}]`;
  return [
    door('outputs', 0, 'Every computed block by id.'),
    ...(objective ? [door('objective', 1, sentence(meaning))] : []),
    ...(posterior ? [door('posterior', 2, sentence(posteriorMeaning))] : []),
    ...(objective
      ? [
          [
            'if __name__ == "__main__":',
            '    value, gradient = jax.jit(jax.value_and_grad(objective))(initial)',
            '    print(json.dumps({"objective": value.item(), "gradient": {id: g.tolist() for id, g in gradient.items()}}))',
          ].join('\n'),
        ]
      : []),
  ];
}

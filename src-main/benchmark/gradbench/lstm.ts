/**
 * `lstm`: the loss of a recurrent network whose weights are diagonal, as ADBench has it
 * (https://github.com/microsoft/ADBench), and its gradient. For a sequence x₀, …, x_{c−1} of [b], in layer k of l, z being the layer
 * below, σ the logistic function, products elementwise:
 *
 *   z₀ = w_in·x_t,   cell ← cell·σ(W_f·z + B_f) + σ(W_i·hidden + B_i)·tanh(W_c·hidden + B_c)
 *                    hidden ← σ(W_o·z + B_o)·tanh(cell),   what goes up
 *   ŷ_t = w_out·z_l + b_out,   loss = −mean over t < c − 1 and b of x_{t+1}·(ŷ_t − log(2 + Σ exp ŷ_t))
 *
 * main_params [2l, 4b]: of each layer weights, then biases, of the gates f, i, o, c. extra_params [3, b]: w_in, w_out, b_out.
 * state [2l, b]: of each layer hidden, then cell. Since weights are diagonal, all b units are lanes of one recurrence.
 */
import * as v from 'valibot';
import {
  arrayType,
  gradientName,
  type Program,
  ProgramBuilder,
  realLiteral,
  type ScalarFunction,
  scalarFunction,
  type ScalarOperand,
  type Value,
  withGradient,
} from '../../../engine/index.ts';
import { evaluation, sum, VALUE, valueOf } from './evaluation.ts';

const matrix = v.pipe(v.array(v.array(v.number())), v.minLength(1));

const schema = v.object({ main_params: matrix, extra_params: matrix, state: matrix, sequence: matrix });

type Network = v.InferOutput<typeof schema>;

const layersOf = ({ main_params }: Network): number => main_params.length / 2;
const unitsOf = ({ sequence }: Network): number => sequence[0]!.length;

/** (hidden, cell, the gates f and o, W_i, B_i, W_c, B_c) ↦ (hidden, cell, hidden), one character on. */
const step: ScalarFunction = scalarFunction(
  Array.from({ length: 8 }, () => 'real' as const),
  (s, hidden, cell, forget, outgoing, ingoingWeight, ingoingBias, changeWeight, changeBias) => {
    const affine = (weight: ScalarOperand, bias: ScalarOperand): ScalarOperand =>
      s.apply('add', s.apply('mul', hidden, weight), bias);
    const ingoing = s.apply('logistic', affine(ingoingWeight, ingoingBias));
    const taken = s.apply('mul', ingoing, s.apply('tanh', affine(changeWeight, changeBias)));
    const after = s.apply('add', s.apply('mul', cell, forget), taken);
    const up = s.apply('mul', outgoing, s.apply('tanh', after));
    return [up, after, up];
  },
);

/** What a layer hands up, [characters, b], of what comes from below; `parameters`: its 8 rows of main_params. */
function layer(b: ProgramBuilder, below: Value, initial: readonly Value[], parameters: readonly Value[]): Value {
  const [forget, ingoing, outgoing, change] = [0, 1, 2, 3];
  const of = (gate: number): Value[] => [parameters[gate]!, parameters[4 + gate]!];
  const open = (gate: number): Value =>
    b.elementwise([below, ...of(gate)], (s, z, weight, bias) =>
      s.apply('logistic', s.apply('add', s.apply('mul', z, weight), bias)),
    );
  const [, , up] = b.emit({
    ...{ kind: 'recurrence', step, shape: below.type.shape, axis: 0, reverse: false },
    ...{ initial, inputs: [open(forget), open(outgoing)], invariants: [...of(ingoing), ...of(change)] },
  });
  return up!;
}

/** The rows of a matrix, each an array. */
const rows = (b: ProgramBuilder, value: Value, count: number, width: number): Value[] =>
  Array.from({ length: count }, (_, i) => b.reshape(b.slice(value, 0, i, 1), [width]));

function program(input: Network): Program {
  const [l, units, characters] = [layersOf(input), unitsOf(input), input.sequence.length];
  const b = new ProgramBuilder();
  const real = (name: string, height: number): Value => b.parameter(name, arrayType('real', [height, units]));
  const [main, extra] = [real('main', 8 * l), real('extra', 3)];
  const [state, sequence] = [real('state', 2 * l), real('sequence', characters)];
  const [incoming, outgoing, bias] = rows(b, extra, 3, units) as [Value, Value, Value];
  const [weights, states] = [rows(b, main, 8 * l, units), rows(b, state, 2 * l, units)];
  const first = b.apply('mul', b.slice(sequence, 0, 0, characters - 1), incoming);
  const top = Array.from({ length: l }).reduce<Value>(
    (below, _, k) => layer(b, below, states.slice(2 * k, 2 * k + 2), weights.slice(8 * k, 8 * k + 8)),
    first,
  );
  const predicted = b.apply('add', b.apply('mul', top, outgoing), bias);
  const total = sum(b, b.apply('exp', predicted), 1);
  const norm = b.elementwise([total], (s, each) => s.apply('log', s.apply('add', each, realLiteral(2))));
  const likelihood = b.apply('sub', predicted, b.reshape(norm, [characters - 1, 1]));
  const hits = sum(b, b.apply('mul', b.slice(sequence, 0, 1, characters - 1), likelihood));
  const mean = b.elementwise([hits], (s, each) => s.apply('mul', realLiteral(-1 / ((characters - 1) * units)), each));
  return b.finish(valueOf(mean));
}

const inputs = ({ main_params, extra_params, state, sequence }: Network) => ({
  ...{ main: main_params.flat(), extra: extra_params.flat() },
  ...{ state: state.flat(), sequence: sequence.flat() },
});

export const lstm = evaluation({
  name: 'lstm',
  input: schema,
  functions: {
    objective: (input) => ({ program: program(input), inputs: inputs(input), answer: (result) => result(VALUE)[0] }),
    jacobian: (input) => ({
      program: withGradient(program(input), VALUE, ['main', 'extra']),
      inputs: inputs(input),
      answer: (result) => ['main', 'extra'].flatMap((name) => [...result(gradientName(name))]),
    }),
  },
});

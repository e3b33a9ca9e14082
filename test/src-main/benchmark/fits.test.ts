/** The programs of fit iterations: gradients and normal equations against differences of the loss and of the residuals. */
import { describe, expect, it } from 'vitest';
import { draw } from '../../../src-main/benchmark/draw.ts';
import { iterationPrograms } from '../../../src-main/benchmark/fits/iteration.ts';
import { type FitModel, fitModels } from '../../../src-main/benchmark/fits/models.ts';
import { gradientName, jacobianName, type Program, referenceDevice } from '../../../engine/index.ts';

const n = 60;

/** Runs a program of the model with one element of one parameter moved. */
async function run({ subject }: FitModel, program: Program, moved?: string, by = 0): Promise<Map<string, number[]>> {
  const executable = await referenceDevice().load(program);
  const instance = await executable.bind({ n });
  for (const { name, value } of program.parameters) {
    const length = value.type.shape.reduce<number>((total, size) => total * (size === 'n' ? n : Number(size)), 1);
    const element = value.type.element === 'int' ? 'int' : 'real';
    const values = Float64Array.from(draw(name, element, length, subject.ranges.get(name) ?? [-1, 1]));
    if (name === moved) values[0] = values[0]! + by;
    instance.write(name, values);
  }
  await instance.run();
  const results = new Map<string, number[]>();
  for (const { name } of program.results) results.set(name, [...(await instance.read(name))]);
  return results;
}

const step = 1e-5;

/** ∂RESULT/∂PARAMETER's first element, by central differences. */
async function difference(model: FitModel, program: Program, result: string, parameter: string): Promise<number[]> {
  const [up, down] = [await run(model, program, parameter, step), await run(model, program, parameter, -step)];
  return (up.get(result) ?? []).map((value, i) => (value - down.get(result)![i]!) / (2 * step));
}

describe.each(fitModels.map((model) => [model.name, model] as const))('%s', (_, model) => {
  it('has the gradient of its loss', async () => {
    const loss = iterationPrograms.loss(model)!;
    const gradient = await run(model, iterationPrograms.gradient(model)!);
    for (const parameter of model.by) {
      const [wanted] = await difference(model, loss, 'loss', parameter);
      expect(gradient.get(gradientName(parameter))?.[0], parameter).toBeCloseTo(wanted!, 4);
    }
  });

  it('has the normal equations of its residuals, where it has any', async () => {
    const program = iterationPrograms['normal equations'](model);
    const [first] = model.by;
    if (!program || first === undefined)
      return expect(model.subject.program.results.map(({ name }) => name)).toEqual(['loss']);
    const found = await run(model, program);
    const plain = model.subject.program;
    const residuals = (await run(model, plain)).get('residuals') ?? [];
    const column = await difference(model, plain, 'residuals', first);
    const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
    const name = jacobianName('residuals', first);
    expect(found.get('residuals · residuals')?.[0]).toBeCloseTo(dot(residuals, residuals), 8);
    expect(found.get(`residuals · ${name}`)?.[0]).toBeCloseTo(dot(residuals, column), 4);
    expect(found.get(`${name} · ${name}`)?.[0]).toBeCloseTo(dot(column, column), 4);
  });
});

/** The gradient of a marginal likelihood against central differences of the marginal, about where its fit begins. */
import { expect } from 'vitest';
import { marginalQuestions, type Device, type FitProblem } from '../../../engine/index.ts';

const step = 1e-4;

export async function expectMarginalGradient(problem: FitProblem, device: Device): Promise<void> {
  const questions = marginalQuestions(problem, device);
  try {
    for (const shift of [0, -0.4, 0.7]) {
      const at = questions.start.map((u, j) => u + shift * Math.sin(j + 1));
      const { gradient } = await questions.slope(at);
      for (const j of at.keys()) {
        const beside = (steps: number) => questions.value(at.map((u, k) => (k === j ? u + steps * step : u)));
        const [one, two] = [(await beside(1)) - (await beside(-1)), (await beside(2)) - (await beside(-2))];
        expect(gradient[j]).toBeCloseTo((8 * one - two) / (12 * step), 6);
      }
    }
  } finally {
    questions.release();
  }
}

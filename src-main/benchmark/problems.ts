/** The table of the PEtab benchmark's problems, as build/benchmarks/problems-table.mjs measures them. */
import { milliseconds } from './shown.ts';
import type { Measurement, Suite } from './suite.ts';

export interface Problem extends Omit<Measurement, 'n'> {
  readonly states: number;
  readonly parameters: number;
  readonly importSeconds: number;
  /** Of a process from the document to the gradient. */
  readonly gradientSeconds: number;
  /** Of the compiled programs, run again. */
  readonly lossMs: number;
  readonly gradientMs: number;
  /** From the nominal point; null where it was not done in time, or had not the room. */
  readonly fit: { readonly seconds: number; readonly status: string; readonly objective: number } | null;
  /** What PEtab.jl's authors logged from there. */
  readonly published: {
    readonly objective: number;
    readonly compileSeconds: number;
    readonly solveSeconds: number;
  } | null;
}

const seconds = (value: number): string => `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} s`;
const objective = (value: number): string => String(Number(value.toPrecision(8)));

export const problems: Pick<Suite<Problem>, 'columns'> = {
  columns: [
    { heading: 'problem', text: 34, cell: ({ row }) => row.replaceAll('_', ' ') },
    { heading: 'states', cell: ({ states }) => String(states) },
    { heading: 'parameters', cell: ({ parameters }) => String(parameters) },
    { heading: 'import', cell: ({ importSeconds }) => seconds(importSeconds) },
    { heading: 'to the gradient', cell: ({ gradientSeconds }) => seconds(gradientSeconds) },
    { heading: 'loss again', cell: ({ lossMs }) => milliseconds(lossMs) },
    { heading: 'gradient again', cell: ({ gradientMs }) => milliseconds(gradientMs) },
    {
      heading: 'fit',
      cell: ({ fit }) => (fit ? `${seconds(fit.seconds)}, ${fit.status}, ${objective(fit.objective)}` : 'not done'),
    },
    {
      heading: 'PEtab.jl',
      cell: ({ published }) =>
        published
          ? `${seconds(published.compileSeconds)} + ${seconds(published.solveSeconds)}, ${objective(published.objective)}`
          : '',
    },
  ],
};

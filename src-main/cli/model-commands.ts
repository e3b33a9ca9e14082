/** The commands that say what a model is and what it gives. */
import { Option } from 'commander';
import type { Adding } from './adding.ts';
import { aboveZero, anyNumber, list, repeated, wholeNumber } from './options.ts';

const ruleOption = (): Option =>
  new Option('--rule <block=name>', 'force a rewrite rule on a block (repeatable)').argParser(repeated).default([]);

export function addModelCommands({ modelCommand }: Adding): void {
  modelCommand('check', 'read a model, infer types and shapes, test operator laws').action(async (model, options) =>
    (await import('./check.ts')).check(model, options),
  );

  modelCommand('evaluate', 'values of blocks')
    .requiredOption('--output <ids>', 'blocks, or outputs of blocks, separated by commas', list)
    .action(async (model, options) => (await import('./evaluate.ts')).evaluate(model, options));

  modelCommand('simulate', 'courses over time, of an imported SBML model or of one’s own')
    .requiredOption('--start <t>', 'the first time', anyNumber)
    .requiredOption('--end <t>', 'the last time', anyNumber)
    .requiredOption('--steps <n>', 'even steps from the first to the last', wholeNumber(1))
    .option('--output <ids>', 'names of outputs, separated by commas outside brackets (all unless said)', list)
    .option('--relative <r>', 'the relative tolerance of the solver', aboveZero)
    .option('--absolute <a>', 'the absolute tolerance of the solver', aboveZero)
    .action(async (model, options) => (await import('./simulate.ts')).simulate(model, options));

  modelCommand('differentiate', 'exact derivatives in reverse or forward mode')
    .requiredOption('--of <id>', 'the block, or output of a block, to differentiate')
    .option('--wrt <ids>', 'the sources to differentiate by (all parameters unless said)', list)
    .option('--cotangent <json>', 'what the value is weighted with; 1 for a scalar')
    .option('--tangent <json>', 'forward mode: the direction, by source')
    .addOption(ruleOption())
    .action(async (model, options) => (await import('./differentiate.ts')).differentiate(model, options));

  modelCommand('hessian', 'exact second derivatives by every element of every parameter')
    .option('--of <id>', 'the scalar to differentiate twice (the objective unless said)')
    .option('--vector <json>', 'an array in the order of the parameters: the product with it, the matrix never formed')
    .action(async (model, options) => (await import('./hessian.ts')).hessian(model, options));

  modelCommand('rules', 'the rewrite rule chosen for every reduce, scan and histogram')
    .addOption(ruleOption())
    .option('--program', 'print the differentiated program instead', false)
    .action(async (model, options) => (await import('./rules.ts')).rules(model, options));
}

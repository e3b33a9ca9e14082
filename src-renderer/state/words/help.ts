/**
 * What the window explains: for each kind of block and each method its equation, what the letters stand for, and where it
 * comes from. The sentence on a kind is the engine's own (`model.kinds`), that on a method stands in `methods.ts`.
 */
import type { Document } from '../../../models/format/document.ts';
import type { IconName } from './kinds.ts';
import { kindOf } from './kinds.ts';
import type { MethodText } from './methods.ts';
import { fitMethods, sensitivityMethods, uncertaintyMethods } from './methods.ts';

/** TeX, and the same for who hears it. */
type Equation = readonly [tex: string, spoken: string];

interface Explanation {
  readonly equations: readonly Equation[];
  /** What the letters stand for, or what is done to find it. */
  readonly where: string;
  readonly source?: string;
}

export type HelpGroup = 'Blocks' | 'Fit' | 'Uncertainty' | 'Sensitivity';

export interface HelpTopic extends Explanation {
  /** `block scan`, `fit adam`, … */
  readonly id: string;
  readonly group: HelpGroup;
  readonly title: string;
  readonly icon: IconName;
  readonly about: string;
  /** The kind whose picture goes with it. */
  readonly picture?: string;
}

type BlockKind = Document['blocks'][number]['kind'];

const blocks: { readonly [K in BlockKind]: Explanation } = {
  column: { equations: [], where: 'Numbers as they stand in the file; words become categories, which index from 0.' },
  parameter: {
    equations: [['\\theta \\in [l,\\,u]', 'theta between l and u']],
    where:
      'A start value, bounds and a scale, and a prior where something is known beforehand. A fit leaves fixed ones alone.',
  },
  constant: { equations: [], where: 'A number, a list or a table of numbers.' },
  range: {
    equations: [['y_i = \\mathit{start} + i \\cdot \\mathit{step}', 'y i is start plus i times step']],
    where: 'i runs from 0 up to the length, or as far as what it is like.',
  },
  map: {
    equations: [['y_i = f(a_i,\\, b_i,\\, \\dots)', 'y i is f of a i, b i and so on']],
    where: 'The names in the formula are its ports; a scalar goes with every element.',
  },
  reduce: {
    equations: [['y = x_0 \\odot x_1 \\odot \\dots \\odot x_{n-1}', 'y is x 0 combined with x 1 up to the last']],
    where: '⊙ is any associative operator: the computer may put the brackets where it likes.',
    source: 'Futhark’s reduce',
  },
  scan: {
    equations: [['y_i = x_0 \\odot x_1 \\odot \\dots \\odot x_i', 'y i is x 0 combined with x 1 up to x i']],
    where: 'With the operator (b₁ + c₁x) then (b₂ + c₂x) it solves a linear recurrence in parallel.',
    source: 'Blelloch 1990, Prefix sums and their applications',
  },
  histogram: {
    equations: [['y_b = \\bigodot_{i:\\; \\mathrm{key}_i = b} x_i', 'y b combines all x i whose key is b']],
    where: 'Keys are whole numbers from 0; what lies outside the bins is left out. It needs a commutative operator.',
    source: 'Futhark’s reduce_by_index',
  },
  recurrence: {
    equations: [['s_t = f(s_{t-1},\\, u_t)', 's at t is f of s at t minus 1 and u at t']],
    where: 's begins at its initial value; the inputs u step along with t.',
  },
  ode: {
    equations: [['\\dot s = f(s,\\, t,\\, \\theta), \\quad s(t_0) = s_0', 'the rate of s is f of s, t and theta']],
    where: 'Solved to a tolerance at the given times; steps never cross a dose or a jump.',
  },
  filter: {
    equations: [['y = (x_i)_{\\; i:\\; c_i}', 'the x i for which c i holds']],
    where: 'The condition c is a formula; which rows are kept may depend on data, not on parameters.',
  },
  interpolate: {
    equations: [
      [
        'y = y_k + (y_{k+1} - y_k)\\,\\frac{x - x_k}{x_{k+1} - x_k}',
        'on the straight line between the neighbouring points',
      ],
    ],
    where: 'x lies between the grid points xₖ and xₖ₊₁.',
  },
  gather: {
    equations: [['y_i = x_{\\,\\mathrm{index}_i}', 'y i is x at index i']],
    where: 'Gives each row the parameter of its group. Its derivative is a histogram.',
  },
  scatter: {
    equations: [['y_{\\,\\mathrm{index}_i} = v_i', 'y at index i is v i']],
    where: 'All other rows stay as they were.',
  },
  reverse: { equations: [['y_i = x_{n-1-i}', 'y i is x at n minus 1 minus i']], where: 'n is the length of the axis.' },
  slice: {
    equations: [['y_i = x_{\\mathit{start} + i \\cdot \\mathit{step}}', 'y i is x at start plus i times step']],
    where: 'It ends before stop; a negative number counts from the end.',
  },
  shift: {
    equations: [['y_i = x_{i-k}', 'y i is x at i minus k']],
    where: 'k is how far; what comes in at the end is the fill.',
  },
  transpose: { equations: [['y_{ij} = x_{ji}', 'y i j is x j i']], where: 'Axes count from 0.' },
  reshape: { equations: [], where: 'The order of the elements stays, row by row; −1 stands for what is left.' },
  concatenate: {
    equations: [['y = (a_0, \\dots, a_{n-1},\\, b_0, \\dots)', 'all of a, then all of b']],
    where: 'The other axes have to agree.',
  },
  matmul: {
    equations: [['y_{ij} = \\sum_k a_{ik}\\, b_{kj}', 'y i j is the sum over k of a i k times b k j']],
    where: 'As many columns on the left as rows on the right.',
  },
  'least-squares': {
    equations: [
      [
        '\\chi^2 = \\sum_i \\Big(\\frac{y_i - f_i}{\\sigma_i}\\Big)^2',
        'chi squared is the sum of squares of y minus f over sigma',
      ],
    ],
    where: 'y is observed, f predicted; without σ all rows count alike. A robust loss bends large residuals down.',
  },
  likelihood: {
    equations: [['E = -\\sum_i \\log p(y_i \\mid f_i)', 'E is minus the sum of log p of y i given f i']],
    where: 'p is a normal, Poisson, binomial, Student-t, negative binomial or log-normal distribution.',
  },
  quantity: {
    equations: [
      [
        '\\operatorname{se}(q)^2 = \\nabla q^{\\mathsf T} C\\, \\nabla q',
        'the squared standard error of q is its gradient times the covariance times its gradient',
      ],
    ],
    where:
      'A half-life, a ratio, an area, a prediction: a formula over parameters and scalars. It changes no fit, and has an interval by every method: by its gradient, by profile, by replicates, by draws.',
    source: 'the delta method; a profile of q is one in which q is held',
  },
  group: { equations: [], where: 'It unfolds in place; its ports are those that reach outside.' },
};

type Explanations<M extends string> = { readonly [K in M]: Explanation };

const fits: Explanations<keyof typeof fitMethods> = {
  'levenberg-marquardt': {
    equations: [
      [
        '\\min_s \\lVert J s + r \\rVert^2 \\;\\text{ where }\\; \\lVert D s \\rVert \\le \\delta',
        'the least squares step s within the trust region',
      ],
    ],
    where: 'r are the residuals, J their exact Jacobian. The region δ grows while the linear model keeps its promises.',
    source: 'Moré 1978, DOI 10.1007/BFb0067700',
  },
  'newton-cg': {
    equations: [['(H + \\lambda D)\\, s = -g', 'H plus lambda D times s is minus g']],
    where: 'H is the exact Hessian; with many parameters only products H·d are formed, for conjugate gradients.',
    source: 'Steihaug 1983, DOI 10.1137/0720042',
  },
  'l-bfgs-b': {
    equations: [['B = \\theta I - W M W^{\\mathsf T}', 'B is theta I minus W M W transposed']],
    where: 'The curvature B is learnt from the last 10 steps and their gradients; bounds are kept exactly.',
    source: 'Byrd, Lu, Nocedal & Zhu 1995, DOI 10.1137/0916069',
  },
  adam: {
    equations: [
      [
        'u \\leftarrow u - \\eta\\, \\hat m / \\sqrt{\\hat v}',
        'u moves by eta times the mean gradient over its root mean square',
      ],
    ],
    where: 'm̂ and v̂ are running means of the gradient and of its square. Expect four digits.',
    source: 'Kingma & Ba 2015, arXiv:1412.6980',
  },
  'nelder-mead': {
    equations: [
      ['u_r = \\bar u + \\alpha\\,(\\bar u - u_{\\text{worst}})', 'the worst corner is reflected through the centre'],
    ],
    where: 'Asks for values alone. For up to some ten parameters.',
    source: 'Gao & Han 2012, DOI 10.1007/s10589-010-9329-3',
  },
};

const uncertainties: Explanations<keyof typeof uncertaintyMethods> = {
  covariance: {
    equations: [
      [
        '\\hat\\theta \\pm q \\sqrt{C_{jj}}, \\quad C = s^2 (J^{\\mathsf T} J)^{-1}',
        'the estimate plus or minus q standard errors',
      ],
    ],
    where: 'q is Student’s t where the noise s is estimated, else normal. Right where the model is nearly linear.',
  },
  profile: {
    equations: [
      ['\\mathrm{PL}(\\theta_j) = \\min_{\\theta_k,\\; k \\ne j} E(\\theta)', 'the least E over all other parameters'],
    ],
    where:
      'The interval ends where the profile has risen by as much as noise explains. Sees one-sided and open intervals.',
    source: 'Bates & Watts 1988, DOI 10.1002/9780470316757',
  },
  bootstrap: {
    equations: [['\\hat\\theta^{*} = \\arg\\min E(\\theta;\\, y^{*})', 'the fit to data drawn again']],
    where: 'y* are the data with residuals, or rows, drawn again; the interval holds the middle 95 % of the fits.',
    source: 'Efron & Tibshirani 1993',
  },
  hmc: {
    equations: [
      ['p(\\theta \\mid y) \\propto e^{-E(\\theta)}\\, p(\\theta)', 'the posterior is the likelihood times the prior'],
    ],
    where: 'Trajectories of a particle in the landscape of E; R̂ near 1 says that four chains agree.',
    source: 'Hoffman & Gelman 2014, JMLR 15',
  },
};

const sensitivities: Explanations<keyof typeof sensitivityMethods> = {
  local: {
    equations: [
      [
        '\\frac{\\theta_j}{f} \\frac{\\partial f}{\\partial \\theta_j}',
        'theta over f times the derivative of f by theta',
      ],
    ],
    where: 'By how many per cent f changes when the parameter does by one, here.',
  },
  morris: {
    equations: [
      [
        '\\mu^{*}_j = \\mathrm{mean}\\, \\Big| \\frac{f(\\theta + \\Delta e_j) - f(\\theta)}{\\Delta} \\Big|',
        'the mean absolute elementary effect',
      ],
    ],
    where: 'σ, the spread of the effects, tells of curvature and interactions.',
    source: 'Morris 1991, DOI 10.1080/00401706.1991.10484804',
  },
  sobol: {
    equations: [
      [
        'S_j = \\frac{\\mathrm{Var}\\, \\mathrm{E}[f \\mid \\theta_j]}{\\mathrm{Var} f}',
        'the share of the variance that theta j explains alone',
      ],
      [
        'S_{Tj} = \\frac{\\mathrm{E}\\, \\mathrm{Var}[f \\mid \\theta_{\\ne j}]}{\\mathrm{Var} f}',
        'the share that is left while theta j is unknown',
      ],
    ],
    where: 'Over the ranges or priors of all parameters; the difference is interaction.',
    source: 'Saltelli et al. 2010, DOI 10.1016/j.cpc.2009.09.018',
  },
  dgsm: {
    equations: [
      [
        '\\nu_j = \\mathrm{E}\\Big[\\Big(\\frac{\\partial f}{\\partial \\theta_j}\\Big)^2\\Big], \\quad S_{Tj} \\le \\frac{C_j\\, \\nu_j}{\\mathrm{Var} f}',
        'the mean squared derivative bounds the total index',
      ],
    ],
    where: 'Exact gradients make it far cheaper than Sobol’ indices; C is width²/π² for a uniform range.',
    source: 'Sobol’ & Kucherenko 2009, DOI 10.1016/j.matcom.2009.01.023',
  },
  'active-subspace': {
    equations: [
      [
        '\\mathrm{E}[\\nabla f\\, \\nabla f^{\\mathsf T}] = W \\Lambda W^{\\mathsf T}',
        'the eigenvectors of the mean outer product of the gradient',
      ],
    ],
    where: 'The columns of W with large eigenvalues are the combinations of parameters that f follows.',
    source: 'Constantine 2015, DOI 10.1137/1.9781611973860',
  },
};

/** What the canvas takes beside the actions, as keys and in words. */
export const canvasKeys: readonly (readonly [keys: string, does: string])[] = [
  ['Arrow keys', 'Go to the block that lies there; move the selected ones; on a slider, change its value'],
  ['Alt and arrows', 'Go on while blocks are selected'],
  ['Tab', 'Go on to the next block and its ports'],
  ['Enter', 'On a port: choose what it is wired to'],
  ['Delete', 'On an input: take its wire away'],
  ['Menu, Shift F10', 'All that can be done with what has the focus'],
  ['Drag', 'Select what a rectangle takes in; Shift and click adds one'],
  ['Double-click', 'Search for a block to add, there'],
  ['Escape', 'Close what floats, or select nothing'],
];

/** The engine's sentence on each kind, once it has said it. */
export type Summaries = ReadonlyMap<string, string>;

function methodTopics<M extends string>(
  group: HelpGroup,
  icon: IconName,
  texts: { readonly [K in M]: MethodText },
  explanations: Explanations<M>,
): HelpTopic[] {
  return (Object.keys(texts) as M[]).map((method) => ({
    id: `${group.toLowerCase()} ${method}`,
    group,
    icon,
    title: texts[method].name,
    about: texts[method].about,
    ...explanations[method],
  }));
}

const methodHelp: readonly HelpTopic[] = [
  ...methodTopics('Fit', 'objective', fitMethods, fits),
  ...methodTopics('Uncertainty', 'parameter', uncertaintyMethods, uncertainties),
  ...methodTopics('Sensitivity', 'histogram', sensitivityMethods, sensitivities),
];

export function helpTopics(summaries: Summaries): readonly HelpTopic[] {
  const kinds = (Object.keys(blocks) as BlockKind[]).map((kind): HelpTopic => {
    const { icon, title } = kindOf(kind);
    const about = summaries.get(kind) ?? '';
    return { id: `block ${kind}`, group: 'Blocks', icon, title, about, picture: kind, ...blocks[kind] };
  });
  return [...kinds, ...methodHelp];
}

export function helpTopic(summaries: Summaries, id: string): HelpTopic | undefined {
  return helpTopics(summaries).find((topic) => topic.id === id);
}

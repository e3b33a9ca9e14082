/**
 * What the window explains: for each kind of block and each method its equation, what the letters stand for, and where it
 * comes from. What is said of kinds stands in models/facts, the sentence on a method in methods.ts.
 */
import type { Explanation, IconName, KindFacts } from '../../../models/facts/kind.ts';
import { kindFacts } from '../../../models/facts/kinds.ts';
import type { MethodText } from './methods.ts';
import { fitMethods, sensitivityMethods, uncertaintyMethods } from './methods.ts';

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

const kindHelp = Object.entries<KindFacts>(kindFacts).map(
  ([kind, { title, summary, icon, equations, where, source }]): HelpTopic => ({
    id: `block ${kind}`,
    group: 'Blocks',
    icon,
    title,
    about: summary,
    equations,
    where,
    ...(source !== undefined && { source }),
    picture: kind,
  }),
);

export const helpTopics: readonly HelpTopic[] = [...kindHelp, ...methodHelp];

export function helpTopic(id: string): HelpTopic | undefined {
  return helpTopics.find((topic) => topic.id === id);
}

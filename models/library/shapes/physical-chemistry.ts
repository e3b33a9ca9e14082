/** Temperatures, surfaces and potentials. */
import { all, exponent, fromZero, half, level, place, places, positive, rises, slope } from '../parameters.ts';
import type { DataRange, Shape, ShapeConstant } from '../shape.ts';

const adsorbs = all(fromZero, rises);
const capacity = level('what the surface takes when it is full');
const x0: ShapeConstant = { meaning: 'reference temperature', unit: 'x', of: ({ middle }) => Math.round(middle) };
/** Of what x is in: a difference of 1 °C is one of 1 K. */
const R: ShapeConstant = { meaning: 'gas constant', unit: 'J/mol/x', of: () => 8.314462618 };
const isKelvin = ({ low, high }: DataRange): boolean => low > 150 && high < 3000;
const isCelsius = ({ low, high }: DataRange): boolean => low > -80 && high < 400;
const activation = positive('activation energy', 'J/mol', () => [2e3, 4e5]);

export const physicalChemistry: readonly Shape[] = [
  {
    name: 'arrhenius',
    narrow: true,
    title: 'Arrhenius, temperatures in K',
    field: 'physical chemistry',
    formula: 'kref*exp(-Ea/R*(1/x - 1/x0))',
    parameters: { kref: level('rate at the reference temperature x0'), Ea: activation },
    constants: { x0, R },
    suits: all(isKelvin, rises),
    use: 'A rate over absolute temperature.',
    reference: 'Arrhenius, Z. Phys. Chem. 4 (1889) 226; centred as Schwaab and Pinto, Chem. Eng. Sci. 62 (2007) 2750',
  },
  {
    name: 'arrhenius-celsius',
    narrow: true,
    title: 'Arrhenius, temperatures in °C',
    field: 'physical chemistry',
    formula: 'kref*exp(-Ea/R*(1/(x + 273.15) - 1/(x0 + 273.15)))',
    parameters: { kref: level('rate at the reference temperature x0'), Ea: activation },
    constants: { x0, R },
    suits: all(isCelsius, rises),
    use: 'A rate over temperature in °C.',
    reference: 'Arrhenius, Z. Phys. Chem. 4 (1889) 226; centred as Schwaab and Pinto, Chem. Eng. Sci. 62 (2007) 2750',
  },
  {
    name: 'eyring',
    narrow: true,
    title: 'Eyring, temperatures in K',
    field: 'physical chemistry',
    formula: 'kref*x/x0*exp(-H/R*(1/x - 1/x0))',
    parameters: {
      kref: level('rate at the reference temperature x0'),
      H: positive('enthalpy of activation', 'J/mol', () => [2e3, 4e5]),
    },
    constants: { x0, R },
    suits: all(isKelvin, rises),
    use: 'A rate constant over absolute temperature, by transition state theory.',
    reference: 'Eyring, J. Chem. Phys. 3 (1935) 107',
  },
  {
    name: 'antoine',
    narrow: true,
    title: 'Antoine, vapour pressure',
    field: 'physical chemistry',
    formula: 'P0*10^(B/(C + x0) - B/(C + x))',
    parameters: {
      P0: level('pressure at the reference temperature x0'),
      B: positive('Antoine’s B', '', () => [300, 5000]),
      C: {
        meaning: 'Antoine’s C',
        unit: 'x',
        start: ({ low }) => ({ low: Math.max(-low + 20, -200), high: 350, log: false }),
      },
    },
    constants: { x0 },
    suits: all(rises, places(6), ({ low, high, yLow }) => low > -80 && high < 1500 && yLow >= 0),
    use: 'Vapour pressure over temperature.',
    reference: 'Antoine, C. R. Acad. Sci. 107 (1888) 681',
  },
  {
    name: 'langmuir',
    title: 'Langmuir isotherm',
    field: 'physical chemistry',
    formula: 'q*K*x/(1 + K*x)',
    parameters: {
      q: capacity,
      K: positive('affinity', '1/x', ({ least, high }) => [0.2 / high, 5 / least]),
    },
    suits: all(adsorbs, places(4)),
    use: 'Adsorption in one layer on equal sites.',
    reference: 'Langmuir, J. Am. Chem. Soc. 40 (1918) 1361',
  },
  {
    name: 'freundlich',
    title: 'Freundlich isotherm',
    field: 'physical chemistry',
    formula: 'KF*x^(1/n)',
    parameters: { KF: level('adsorbed at x = 1'), n: exponent('heterogeneity', 0.4, 10) },
    suits: all(adsorbs, ({ low }) => low > 0, places(4)),
    use: 'Adsorption on unequal sites, with no saturation in sight.',
    reference: 'Freundlich, Z. Phys. Chem. 57 (1907) 385',
  },
  {
    name: 'sips',
    title: 'Sips (Langmuir–Freundlich) isotherm',
    field: 'physical chemistry',
    formula: 'q*(K*x)^n/(1 + (K*x)^n)',
    parameters: {
      q: capacity,
      K: positive('affinity', '1/x', ({ least, high }) => [0.2 / high, 5 / least]),
      n: exponent('heterogeneity', 0.2, 4),
    },
    suits: all(adsorbs, ({ low }) => low > 0, places(5)),
    use: 'Adsorption on unequal sites that saturates.',
    reference: 'Sips, J. Chem. Phys. 16 (1948) 490',
  },
  {
    name: 'bet',
    narrow: true,
    title: 'BET isotherm',
    field: 'physical chemistry',
    formula: 'q*C*x/((1 - x)*(1 + (C - 1)*x))',
    parameters: { q: level('what one layer takes'), C: positive('BET constant', '', () => [1.2, 1000]) },
    suits: all(adsorbs, places(5), ({ low, high }) => low > 0 && high < 0.95),
    use: 'Adsorption in many layers over the relative pressure p/p0.',
    reference: 'Brunauer, Emmett and Teller, J. Am. Chem. Soc. 60 (1938) 309',
  },
  {
    name: 'morse',
    narrow: true,
    title: 'Morse potential',
    field: 'physical chemistry',
    formula: 'c + D*(1 - exp(-a*(x - r0)))^2',
    parameters: {
      c: level('energy at the bottom'),
      D: level('depth of the well'),
      a: positive('steepness', '1/x', ({ span }) => [0.5 / span, 20 / span]),
      r0: place('distance at the bottom'),
    },
    suits: places(7),
    use: 'The energy of two atoms over their distance.',
    reference: 'Morse, Phys. Rev. 34 (1929) 57',
  },
  {
    name: 'diode',
    narrow: true,
    title: 'Diode (Shockley)',
    field: 'physical chemistry',
    formula: 'I0*expm1(x/nVT)',
    parameters: {
      I0: level('saturation current'),
      nVT: positive('ideality times thermal voltage', 'x', ({ span }) => [span / 60, span]),
    },
    suits: all(rises, places(5)),
    use: 'A current over a voltage.',
    reference: 'Shockley, Bell Syst. Tech. J. 28 (1949) 435',
  },
  {
    name: 'threshold-current',
    narrow: true,
    title: 'Reversal potential with saturation',
    field: 'physical chemistry',
    formula: 'g*(x - E)/(1 + exp(-(x - V)/s))',
    parameters: {
      g: slope('greatest conductance'),
      E: place('reversal potential'),
      V: place('voltage of half activation'),
      s: positive('slope of activation', 'x', ({ span }) => [span / 60, span / 3]),
    },
    suits: places(8),
    use: 'The current of a voltage-gated channel over the voltage.',
    reference: 'Hille, Ion Channels of Excitable Membranes, 3rd ed., Sinauer 2001',
  },
  {
    name: 'resonance',
    narrow: true,
    title: 'Driven resonance',
    field: 'physical chemistry',
    formula: 'A/sqrt((1 - (x/f0)^2)^2 + (x/(Q*f0))^2)',
    parameters: {
      A: level('answer at frequency 0'),
      f0: half('frequency of resonance', 1),
      Q: exponent('quality', 0.5, 50),
    },
    suits: all(fromZero, places(8)),
    use: 'The amplitude of an oscillator over the frequency that drives it.',
    reference: 'French, Vibrations and Waves, Norton 1971, chapter 4',
  },
];

/** The text of SBML's elements: symbols, and lists of them. */

export interface SpeciesAbout {
  readonly compartment: string;
  readonly isAmount: boolean;
  /** An amount, although the symbol is a concentration. */
  readonly beginsAsAmount: boolean;
  /** Whether reactions change it. */
  readonly reacts: boolean;
  readonly conversionFactor: string | undefined;
}

/** `value` is absent where an initial assignment or a rule gives it. */
export const compartmentElement = (id: string, value: number | undefined, constant: boolean): string =>
  `<compartment id="${id}" spatialDimensions="3"${given('size', value)} constant="${constant}"/>`;

export const parameterElement = (id: string, value: number | undefined, constant: boolean): string =>
  `<parameter id="${id}"${given('value', value)} constant="${constant}"/>`;

export const localParameterElement = (id: string, value: number | undefined): string =>
  `<localParameter id="${id}"${given('value', value)}/>`;

export function speciesElement(id: string, value: number | undefined, constant: boolean, about: SpeciesAbout): string {
  const { compartment, isAmount, beginsAsAmount, reacts, conversionFactor } = about;
  const begins = given(isAmount || beginsAsAmount ? 'initialAmount' : 'initialConcentration', value);
  const factor = conversionFactor === undefined ? '' : ` conversionFactor="${conversionFactor}"`;
  return `<species id="${id}" compartment="${compartment}"${begins} hasOnlySubstanceUnits="${isAmount}" boundaryCondition="${!reacts}" constant="${constant}"${factor}/>`;
}

export const listElement = (tag: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<${tag}>\n${items.join('\n')}\n</${tag}>\n`;

const given = (key: string, value: number | undefined): string =>
  value === undefined ? '' : ` ${key}="${numeral(value)}"`;

export function numeral(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : value > 0 ? 'INF' : '-INF';
}

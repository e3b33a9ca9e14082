/** Models composed of submodels: what is no model alone is refused in words; factors and local names are as the package says. */
import { expect, it } from 'vitest';
import { importSbml } from '../../models/sbml/import.ts';

const comp = 'http://www.sbml.org/sbml/level3/version1/comp/version1';
const math = (inner: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${inner}</math>`;

const file = (main: string, definitions: string): string =>
  `<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" xmlns:comp="${comp}" level="3" version="2" comp:required="true">
   <model id="main">${main}</model><comp:listOfModelDefinitions>${definitions}</comp:listOfModelDefinitions></sbml>`;

const sub = (id: string, of: string, more = ''): string =>
  `<comp:listOfSubmodels><comp:submodel comp:id="${id}" comp:modelRef="${of}" ${more}/></comp:listOfSubmodels>`;

const parameter = (id: string, value: number, inner = ''): string =>
  `<listOfParameters><parameter id="${id}" value="${value}" constant="false">${inner}</parameter></listOfParameters>`;

const rule = (kind: string, of: string, inner: string): string =>
  `<listOfRules><${kind}Rule variable="${of}">${math(inner)}</${kind}Rule></listOfRules>`;

const replaces = (attributes: string): string =>
  `<comp:listOfReplacedElements><comp:replacedElement comp:submodelRef="A" ${attributes}/></comp:listOfReplacedElements>`;

it.each([
  [file(sub('A', 'none'), ''), /no model "none" is defined/],
  [
    file(sub('A', 'loop'), `<comp:modelDefinition id="loop">${sub('B', 'loop')}</comp:modelDefinition>`),
    /holds itself/,
  ],
  [
    file(
      `${parameter('p', 1, replaces('comp:idRef="q"'))}${sub('A', 'm')}`,
      `<comp:modelDefinition id="m">${parameter('x', 1)}</comp:modelDefinition>`,
    ),
    /refers to "q", which the submodel "A" does not have/,
  ],
  [
    file(
      `${parameter('p', 1, replaces('comp:idRef="x"'))}${rule('rate', 'p', '<cn>1</cn>')}${sub('A', 'm')}`,
      `<comp:modelDefinition id="m">${parameter('x', 1)}${rule('rate', 'x', '<cn>2</cn>')}</comp:modelDefinition>`,
    ),
    /"p" is set twice in listOfRules/,
  ],
  [
    file(sub('A', 'm'), '').replace(
      '<comp:listOfModelDefinitions></comp:listOfModelDefinitions>',
      '<comp:listOfExternalModelDefinitions><comp:externalModelDefinition comp:id="m" comp:source="other.xml"/></comp:listOfExternalModelDefinitions>',
    ),
    /the file "other.xml", which it names, is not beside it/,
  ],
])('what is no model is refused: %#', (text, why) => {
  expect(() => importSbml(text)).toThrow(why);
});

it('a rate in a submodel of another time and unit is one of the whole', () => {
  const text = file(
    `<listOfParameters><parameter id="minute" value="60" constant="true"/><parameter id="kilo" value="1000" constant="true"/>
     <parameter id="p" value="2" constant="false">${replaces('comp:idRef="x" comp:conversionFactor="kilo"')}</parameter></listOfParameters>
     ${sub('A', 'm', 'comp:timeConversionFactor="minute"')}`,
    `<comp:modelDefinition id="m"><listOfParameters><parameter id="x" value="1" constant="false"/><parameter id="minute" value="7" constant="true"/></listOfParameters>
     ${rule('rate', 'x', '<apply><times/><ci> x </ci><ci> minute </ci></apply>')}</comp:modelDefinition>`,
  );
  const { blocks, names } = importSbml(text).document as {
    blocks: { id: string; state?: unknown; initial?: unknown }[];
    names: Record<string, string>;
  };
  expect(blocks.find(({ id }) => id === 'model')?.state).toEqual({
    p: { initial: 2, rate: 'p/kilo*A__minute*kilo/minute' },
  });
  expect(blocks.find(({ id }) => id === 'A__minute')?.initial).toBe(7);
  expect(names).not.toHaveProperty('A__x');
});

it('a file may say that it may be composed, and have one model', () => {
  const text = `<sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" xmlns:comp="http://www.sbml.org/sbml/level3/version1/comp/version1"
    comp:required="true" level="3" version="1"><model id="m"><listOfParameters><parameter id="x" value="1" constant="false"/></listOfParameters>
    ${rule('rate', 'x', '<cn>2</cn>')}</model></sbml>`;
  const { blocks } = importSbml(text).document as { blocks: { id: string; state?: unknown }[] };
  expect(blocks.find(({ id }) => id === 'model')?.state).toEqual({ x: { initial: 1, rate: '2' } });
});

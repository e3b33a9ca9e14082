/** Models of other programs, broken in every way: a document that loads, or refused in a sentence. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { importPetab } from '../../models/petab/import.ts';
import { importSbml, type ImportedModel } from '../../models/sbml/import.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { load } from '../../src-main/compute/running/load.ts';
import { asRefused } from '../../src-main/compute/running/refusals.ts';
import { Refused } from '../../src-main/refused.ts';
import { fuzzBudget, fuzzTimeout, mutatedText } from '../support/files/mutated.ts';

vi.setConfig({ testTimeout: fuzzTimeout });

/** What is taken loads; what is not says why, and never in JavaScript's words. */
async function expectTaken(read: () => Promise<ImportedModel> | ImportedModel): Promise<void> {
  const said: string[] = [];
  try {
    const { document } = await read();
    const { problems } = await load(JSON.parse(JSON.stringify(document)), undefined);
    said.push(...problems.map(({ message }) => message));
  } catch (caught) {
    const error = asRefused(caught);
    if (!(error instanceof SbmlRefusal || error instanceof Refused)) throw error;
    said.push(error.message);
  }
  for (const message of said) {
    expect(message).toMatch(/\S/);
    expect(message).not.toMatch(/is not a function|undefined|Cannot read prop|\[object/);
  }
}

const here = join(import.meta.dirname, '..');
const sbml = readdirSync(join(here, 'sbml/cases'))
  .filter((name) => /^\d+$/.test(name))
  .flatMap((name) => {
    const folder = join(here, 'sbml/cases', name);
    const file = readdirSync(folder).find((each) => each.endsWith('.xml'));
    return file === undefined ? [] : [readFileSync(join(folder, file), 'utf8')];
  })
  .filter((text) => text.length < 10_000);
const tags = ['species', 'reaction', 'math', 'apply', 'ci', 'cn', 'piecewise', 'rateRule', 'event', 'listOfSpecies'];
const xml = [
  ...tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag}/>`, `<${tag} id="">`]),
  ...['<', '>', '/', '"', '&', '&amp;', '&#0;', '<!--', '-->', '<![CDATA[', ']]>', '<?xml?>', '\0', 'INF', 'NaN', '-'],
  ...[
    ' id="S1"',
    ' value="1e999"',
    ' initialAmount=""',
    ' compartment="none"',
    'xmlns=""',
    '<!DOCTYPE a [<!ENTITY e "e">]>',
  ],
];

it('an SBML model is a document, or refused in words', async () => {
  expect(sbml.length).toBeGreaterThan(5);
  await fc.assert(
    fc.asyncProperty(mutatedText(sbml, xml), (text) => expectTaken(() => importSbml(text))),
    fuzzBudget(120, 8000),
  );
});

const petab = ['v1', 'v2'].flatMap((version) =>
  readdirSync(join(here, 'petab/cases', version)).map((name) => {
    const folder = join(here, 'petab/cases', version, name);
    const files = readdirSync(folder).filter((file) => !file.includes('solution') && !file.includes('simulations'));
    return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  }),
);
const cells = [
  '\t',
  '\n',
  '\r',
  '"',
  ':',
  '- ',
  '[',
  '{',
  '&a',
  '*a',
  '!!js',
  'nan',
  'inf',
  '1e999',
  '-1',
  'estimate',
  'lin',
  'log10',
  ';',
];

function imported(files: ReadonlyMap<string, string>): Promise<ImportedModel> {
  const [, yaml] = [...files].find(([name]) => /\.ya?ml$/.test(name))!;
  return importPetab(
    yaml,
    (name) => {
      const text = files.get(name);
      return text === undefined
        ? Promise.reject(new Error('there is none'))
        : Promise.resolve(new TextEncoder().encode(text));
    },
    'case',
  );
}

it('a PEtab problem with one of its files broken is a document, or refused in words', async () => {
  const broken = fc
    .constantFrom(...petab)
    .chain((files) =>
      fc
        .constantFrom(...files.keys())
        .chain((file) =>
          mutatedText([files.get(file)!], file.endsWith('.xml') ? xml : cells).map(
            (text) => new Map([...files, [file, text]]),
          ),
        ),
    );
  await fc.assert(
    fc.asyncProperty(broken, (files) => expectTaken(() => imported(files))),
    fuzzBudget(100, 8000),
  );
});

it('what broke once is refused in words', async () => {
  const files = petab[0] ?? new Map<string, string>();
  const observables = [...files.keys()].find((name) => name.includes('observables'))!;
  const unclosed = new Map([...files, [observables, `"${files.get(observables)}`]]);
  await expect(imported(unclosed)).rejects.toThrow(`${observables} cannot be read: line 1: a quote that is not closed`);
});

/** SBML's delay: imported, simulated, and written back. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cotangent, expectClose, folderWith, json } from '../support/command-line.ts';

const math = (content: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${content}</math>`;
const past = (of: string, lag: string): string =>
  `<apply><csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/delay">delay</csymbol>${of}${lag}</apply>`;
const time = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">time</csymbol>';

/** x′ = −x(t − lag), y what x was a quarter ago. */
const model = (start: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="past">
<listOfParameters><parameter id="x" value="1" constant="false"/><parameter id="lag" value="1" constant="true"/>
<parameter id="y" constant="false"/></listOfParameters>
${start}<listOfRules>
<rateRule variable="x">${math(`<apply><minus/>${past('<ci>x</ci>', '<ci>lag</ci>')}</apply>`)}</rateRule>
<assignmentRule variable="y">${math(past('<ci>x</ci>', '<cn>0.25</cn>'))}</assignmentRule>
</listOfRules></model></sbml>`;

async function simulated(text: string): Promise<{ x: number[]; y: number[]; out: string; folder: string }> {
  const folder = folderWith({ 'model.xml': text });
  const out = join(folder, 'model.cot.json');
  await json('import', join(folder, 'model.xml'), '--out', out);
  const { values } = (await json(
    ...['simulate', out, '--start', '0', '--end', '2', '--steps', '4', '--output', 'x,y'],
  )) as { values: { x: number[]; y: number[] } };
  return { ...values, out, folder };
}

describe('a delay', () => {
  const x = (t: number): number => (t <= 0 ? 1 : t <= 1 ? 1 - t : 1 - t + (t - 1) ** 2 / 2);

  it('is solved by what x began as, and comes back from an export', async () => {
    const first = await simulated(model(''));
    const times = [0, 0.5, 1, 1.5, 2];
    expectClose(first.x, times.map(x), 1e-8);
    expectClose(
      first.y,
      times.map((t) => x(t - 0.25)),
      1e-8,
    );
    const file = join(first.folder, 'again.xml');
    expect((await cotangent('export', first.out, '--to', 'sbml', '--out', file)).status).toBe(0);
    const out = join(first.folder, 'again.cot.json');
    await json('import', file, '--out', out);
    const { values } = (await json(
      ...['simulate', out, '--start', '0', '--end', '2', '--steps', '4', '--output', 'x,y'],
    )) as { values: { x: number[]; y: number[] } };
    expectClose(values.x, first.x, 1e-12);
    expectClose(values.y, first.y, 1e-12);
  });

  it('sees before the start what an initial assignment says of that time', async () => {
    const assigned = `<listOfInitialAssignments><initialAssignment symbol="x">${math(`<apply><plus/><cn>1</cn>${time}</apply>`)}</initialAssignment></listOfInitialAssignments>`;
    const { x: found, out, folder } = await simulated(model(assigned));
    // x = 1 + t before 0, so x′ = −t and x = 1 − t²/2 until 1.
    expectClose(found.slice(0, 3), [1, 0.875, 0.5], 1e-8);
    const again = join(folder, 'again.xml');
    expect((await cotangent('export', out, '--to', 'sbml', '--out', again)).status).toBe(0);
    const { x } = await simulated(await readFile(again, 'utf8'));
    expectClose(x.slice(0, 3), [1, 0.875, 0.5], 1e-8);
  });

  it.each([
    {
      of: 'a constant whose initial assignment moves',
      initial: ['x', `<apply><sin/>${time}</apply>`],
      rule: past('<ci>x</ci>', '<cn>0.5</cn>'),
      expected: (t: number): number => (t < 0.5 ? Math.sin(t - 0.5) : 0),
    },
    {
      of: 'the time, where nothing is a state',
      initial: ['x', '<cn>1</cn>'],
      rule: past(time, '<ci>x</ci>'),
      expected: (t: number): number => t - 1,
    },
    {
      of: 'a symbol, asked for at the start',
      initial: ['x', `<apply><plus/><cn>2</cn>${past(time, '<cn>0.5</cn>')}</apply>`],
      rule: '<ci>x</ci>',
      expected: (): number => 1.5,
    },
    {
      of: 'what begins by a chain of initial assignments',
      initial: ['x', '<ci>z</ci>'],
      more: `<initialAssignment symbol="z">${math(`<apply><times/><cn>2</cn>${time}</apply>`)}</initialAssignment>`,
      rule: past('<ci>x</ci>', '<cn>1</cn>'),
      expected: (t: number): number => 2 * Math.min(t - 1, 0),
    },
  ])('is known of $of', async ({ initial: [id, assigned], more = '', rule, expected }) => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="past">
<listOfParameters>${['x', 'y', 'z'].map((each) => `<parameter id="${each}" constant="false"/>`).join('')}</listOfParameters>
<listOfInitialAssignments><initialAssignment symbol="${id}">${math(assigned!)}</initialAssignment>${more}</listOfInitialAssignments>
<listOfRules><assignmentRule variable="y">${math(rule)}</assignmentRule></listOfRules></model></sbml>`;
    expectClose((await simulated(text)).y, [0, 0.5, 1, 1.5, 2].map(expected), 1e-8);
  });

  it('is seen by an event alone, before the start too', async () => {
    const x = past('<ci>x</ci>', '<cn>1</cn>');
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="past">
<listOfParameters><parameter id="x" constant="false"/><parameter id="y" value="0" constant="false"/></listOfParameters>
<listOfInitialAssignments><initialAssignment symbol="x">${math(time)}</initialAssignment></listOfInitialAssignments>
<listOfRules><rateRule variable="x">${math('<cn>1</cn>')}</rateRule></listOfRules>
<listOfEvents><event useValuesFromTriggerTime="true">
<trigger initialValue="true" persistent="true">${math(`<apply><gt/>${x}<cn>-0.75</cn></apply>`)}</trigger>
<listOfEventAssignments><eventAssignment variable="y">${math(x)}</eventAssignment></listOfEventAssignments></event></listOfEvents></model></sbml>`;
    expectClose((await simulated(text)).y, [0, -0.75, -0.75, -0.75, -0.75], 1e-6);
  });
});

/** What is written is what an XML reader reads back, save what XML has no way to hold. */
import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeXml } from '../../../models/notation/escape-xml.ts';

const readBack = (text: string): string | null => {
  const strict = new DOMParser({ onError: (level, message) => level !== 'warning' && expect.fail(message) });
  return strict.parseFromString(`<a b="${escapeXml(text)}"/>`, 'text/xml').documentElement!.getAttribute('b');
};

it('leaves what can be written, and marks what cannot', () => {
  expect(escapeXml('a < b & "c" > µ 😀\n')).toBe('a &lt; b &amp; &quot;c&quot; &gt; µ 😀\n');
  expect(escapeXml('a\u0007b\uFFFEc\uD800d')).toBe('a\uFFFDb\uFFFDc\uFFFDd');
});

it('is read back as it was', () => {
  // A reader makes blanks of line ends in attributes.
  const text = fc.string({ unit: 'binary' }).map((each) => each.replaceAll(/[\t\n\r\u0085\u2028]/g, ' '));
  fc.assert(
    fc.property(text, (each) => {
      const seen = escapeXml(each).includes('\uFFFD') ? undefined : each;
      const back = readBack(each);
      if (seen !== undefined) expect(back).toBe(seen);
    }),
  );
});

/** What no XML may hold, however it is written (XML 1.0, 2.2): control characters, halves of characters, U+FFFE and U+FFFF. */
const barred = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** As the text of an element or of an attribute, in XML as in HTML; what neither may hold is U+FFFD. */
export const escapeXml = (text: string): string =>
  text
    .replace(barred, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

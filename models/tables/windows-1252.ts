/** What older instruments write. */

/** From 80 to 9F, where Latin-1 has control characters: Node 20 takes the one for the other. */
const between = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

export function decodeWindows1252(bytes: Uint8Array): string {
  const text = new TextDecoder('windows-1252').decode(bytes);
  return text.replace(/[\u0080-\u009f]/g, (control) => between[control.charCodeAt(0) - 0x80]!);
}

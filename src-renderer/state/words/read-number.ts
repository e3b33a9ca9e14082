/** One number, whose decimal mark may be a comma; NaN where it is none. */
export function readNumber(text: string): number {
  const plain = text.trim().replace(/\u2212/g, '-');
  return plain === '' ? NaN : Number(/^[-+]?\d+,\d+(?:e[-+]?\d+)?$/i.test(plain) ? plain.replace(',', '.') : plain);
}

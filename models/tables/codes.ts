/** The codes of a text's characters in an array: to ask a string for one of them takes several times as long. */
export type Codes = Uint8Array | Uint16Array;

export function codesOf(text: string): Codes {
  const bytes = new TextEncoder().encode(text);
  // What is no ASCII takes more bytes than it has codes.
  if (bytes.length === text.length) return bytes;
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < codes.length; i++) codes[i] = text.charCodeAt(i);
  return codes;
}

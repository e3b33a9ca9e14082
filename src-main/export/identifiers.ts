/** Names for generated text: identifiers of the language, each once, near to what the model calls the thing. */

export class Identifiers {
  private readonly taken: Set<string>;

  /** `reserved`: the language's words and whatever else the text defines. */
  constructor(reserved: Iterable<string>) {
    this.taken = new Set(reserved);
  }

  take(wanted: string): string {
    const plain = wanted.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d)/, '_');
    const base = plain === '' || plain === '_' ? 'value' : plain;
    let name = base;
    for (let i = 2; this.taken.has(name); i++) name = `${base}_${i}`;
    this.taken.add(name);
    return name;
  }

  /** Names for an inner scope, which hide none out here. */
  inner(): Identifiers {
    return new Identifiers(this.taken);
  }
}

/** What a file says and this program cannot mean: one sentence that names the feature and the element. */
export class SbmlRefusal extends Error {
  override readonly name = 'SbmlRefusal';
}

export function refuse(message: string): never {
  throw new SbmlRefusal(message);
}

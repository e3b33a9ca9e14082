/** Packages of Level 3 that a file uses. Those that are for drawing and grouping say nothing of its numbers. */
import { refuse } from './refusal.ts';
import type { XmlElement } from './xml.ts';

const harmless = new Set(['layout', 'render', 'groups', 'annot']);

const meaning: Readonly<Record<string, string>> = {
  arrays: 'arrays of elements',
  comp: 'models composed of submodels',
  distrib: 'random distributions',
  dyn: 'dynamic structures',
  fbc: 'flux balance constraints',
  multi: 'species with several states',
  qual: 'qualitative models',
  spatial: 'processes in space',
};

const packageNamespace = /^https?:\/\/www\.sbml\.org\/sbml\/level3\/version\d\/([a-z0-9]+)\/version\d+$/;

const nameOf = (namespace: string): string | undefined => {
  const found = packageNamespace.exec(namespace)?.[1];
  return found === 'core' ? undefined : found;
};

/** Throws `SbmlRefusal` where a package changes what the model means. */
export function refusePackages(root: XmlElement): void {
  for (const key of root.attributes.keys()) {
    const [, namespace = '', attribute] = /^\{(.*)\}(.*)$/.exec(key) ?? [];
    // What is composed has been put together by now; a file may say that it may be, and have one model.
    const name = nameOf(namespace) ?? namespace;
    if (attribute === 'required' && name !== 'comp' && root.attributes.get(key) === 'true') refuseNamed(name);
  }
  const visit = ({ namespace, children, name }: XmlElement): void => {
    if (name === 'annotation' || name === 'notes' || name === 'math') return;
    const found = nameOf(namespace);
    if (found !== undefined) refuseNamed(found);
    for (const each of children) visit(each);
  };
  visit(root);
}

function refuseNamed(name: string): void {
  if (harmless.has(name)) return;
  const what = meaning[name];
  refuse(`it uses the package "${name}"${what ? ` (${what})` : ''}, which is not understood`);
}

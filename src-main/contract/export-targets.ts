/** The targets of `export`, apart from what writes them, so that naming them loads none of it. */
export const exportTargets = ['jax', 'futhark', 'wgsl', 'csv', 'sbml'] as const;

export type ExportTarget = (typeof exportTargets)[number];

/** What a model says that SBML, and so PEtab, has no words for, and is left out. */
import { isAdaptive } from '../../models/blocks/ode/schema.ts';
import type { Model } from '../../models/load/model.ts';

export const unsaidInSbml = ({ document }: Model): string[] =>
  document.blocks.flatMap((block) =>
    block.kind === 'ode' && !isAdaptive(block)
      ? [
          `"${block.id}" is solved by steps of a length that is given, and SBML does not say how: whoever reads it takes steps of their own, which give slightly other numbers`,
        ]
      : [],
  );

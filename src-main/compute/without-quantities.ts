/** Quantities are told of a fit and change none: a fault in one of them is none of what is fitted. */
import { hasErrors, type Problem } from '../../models/notation/problem.ts';

type Json = Readonly<Record<string, unknown>>;

/** The document without its quantities at fault; undefined where anything else is, or nothing. */
export function withoutFaultyQuantities(document: Json, problems: readonly Problem[]): Json | undefined {
  const { blocks } = document;
  const faulty = new Set(problems.flatMap((problem) => (hasErrors([problem]) ? [problem.block] : [])));
  if (faulty.size === 0 || !Array.isArray(blocks)) return undefined;
  const atFault = (blocks as readonly (Json | null)[]).filter(
    (block) => block?.['kind'] === 'quantity' && faulty.has(String(block['id'])),
  );
  if (atFault.length !== faulty.size) return undefined;
  return { ...document, blocks: (blocks as readonly (Json | null)[]).filter((block) => !atFault.includes(block)) };
}

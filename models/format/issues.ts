/** A schema's issues as problems: what the block lacks, what it has too much, what was wanted and got. */
import type * as v from 'valibot';
import { sentence } from '../notation/fields.ts';
import { errorProblem, type Problem, type ProblemDetails } from '../notation/problem.ts';

/** `where` names the block, the table or the document at the head of the sentence. */
export function issueProblems(
  issues: readonly v.BaseIssue<unknown>[],
  where: string,
  block: string | undefined,
): Problem[] {
  return issues.map((issue) => {
    const path = (issue.path ?? []).map((item) => String(item.key));
    const port = path.join('.');
    const details: ProblemDetails = { ...(block !== undefined && { block }), ...(port !== '' && { port }) };
    const parent = issue.path?.at(-1)?.input;
    const key = path.at(-1);
    if (issue.message.startsWith(sentence)) {
      const nearest = issue.message.split('\n')[1] ?? '';
      const fix = nearest === '' ? {} : { fix: `did you mean ${JSON.stringify(nearest)}?` };
      return errorProblem(`${where}: unknown key ${JSON.stringify(port)}`, { ...details, got: port, ...fix });
    }
    if (
      issue.input === undefined &&
      key !== undefined &&
      typeof parent === 'object' &&
      parent !== null &&
      !Object.hasOwn(parent, key)
    )
      return errorProblem(`${where}: ${JSON.stringify(port)} is missing`, { ...details, wanted: port });
    const got = show(issue.input);
    const subject = port === '' ? where : `${where}: ${JSON.stringify(port)}`;
    const fix = Array.isArray(issue.input) && issue.message.startsWith('a reference') && { fix: listFix };
    return errorProblem(`${subject} wants ${issue.message}, got ${got}`, {
      ...{ ...details, wanted: issue.message, got },
      ...fix,
    });
  });
}

/** Of numbers in a place that takes them from a block. */
const listFix = 'put the list into a constant block and name that here';

/** A value in a message, cut where it is long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

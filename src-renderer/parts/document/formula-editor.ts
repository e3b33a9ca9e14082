/** CodeMirror for one formula: the engine's own grammar, its words and the model's names, errors at the character. */
import { autocompletion, closeCompletion, completionKeymap, currentCompletions } from '@codemirror/autocomplete';
import type { Completion, CompletionSource } from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { HighlightStyle, LRLanguage, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { completions, formulaParser } from '../../../models/formula/language.ts';

const language = LRLanguage.define({ name: 'formula', parser: formulaParser });

const highlight = HighlightStyle.define([
  { tag: tags.number, color: 'var(--int)' },
  { tag: tags.bool, color: 'var(--bool)' },
  { tag: tags.function(tags.variableName), color: 'var(--ink-2)' },
  { tag: tags.definition(tags.variableName), fontWeight: '500' },
  {
    tag: [
      tags.arithmeticOperator,
      tags.compareOperator,
      tags.logicOperator,
      tags.paren,
      tags.squareBracket,
      tags.separator,
    ],
    color: 'var(--ink-3)',
  },
]);

const look = EditorView.theme({
  '&': { fontSize: '12px', backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--font-code)', padding: '4px 0', caretColor: 'var(--accent)', lineHeight: '18px' },
  '.cm-line': { padding: '0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: 'none' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--fault) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line-2)',
    borderRadius: '8px',
    backgroundColor: 'var(--panel)',
    boxShadow: 'var(--shadow)',
    color: 'var(--ink)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-ui)', fontSize: '12px', maxHeight: '180px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '20px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--ink-3)', marginLeft: '10px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '500' },
  '.cm-diagnostic': { padding: '4px 10px', borderLeft: '0', fontFamily: 'var(--font-ui)', fontSize: '12px' },
});

const words: readonly Completion[] = completions.map(({ word, kind, signature, summary }) => ({
  label: word,
  detail: kind === 'function' ? signature : summary,
  type: kind,
  ...(kind === 'function' ? { apply: `${word}(` } : {}),
}));

function completeFrom(names: () => readonly string[]): CompletionSource {
  return (context) => {
    const word = context.matchBefore(/[A-Za-z_][\w.]*/);
    if (!word && !context.explicit) return null;
    const blocks = names().map((label): Completion => ({ label, detail: 'block', boost: 1 }));
    return { from: word?.from ?? context.pos, options: [...blocks, ...words], validFor: /^[\w.]*$/ };
  };
}

/** Escape closes a list of words that is seen; one that is still being looked for keeps nobody in the field. */
const completionKeys: readonly KeyBinding[] = completionKeymap.map((binding) =>
  binding.key === 'Escape'
    ? { ...binding, run: (view) => currentCompletions(view.state).length > 0 && closeCompletion(view) }
    : binding,
);

/** Nor does a text that is selected, as that of a new block is. */
const editingKeys = defaultKeymap.filter(({ key }) => key !== 'Escape');

/** Marks a change that comes from the document, so that it is not reported as an edit. */
const fromDocument = Annotation.define<boolean>();

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly text: string;
  readonly names: () => readonly string[];
  readonly onchange: (text: string) => void;
}

export function createEditor({ parent, label, text, names, onchange }: EditorOptions): EditorView {
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        language,
        syntaxHighlighting(highlight),
        look,
        bracketMatching(),
        EditorView.lineWrapping,
        // Below stands what is wrong with the formula.
        autocompletion({ override: [completeFrom(names)], icons: false, aboveCursor: true, defaultKeymap: false }),
        // No history of its own: undo belongs to the document's one log.
        keymap.of([...completionKeys, ...editingKeys]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        EditorView.updateListener.of((update) => {
          const own = !update.transactions.some((transaction) => transaction.annotation(fromDocument));
          if (update.docChanged && own) onchange(update.state.doc.toString());
        }),
      ],
    }),
  });
}

/** Brings the text of the document in, as after an undo, keeping the cursor where it can stay. */
export function setText(view: EditorView, text: string): void {
  const now = view.state.doc.toString();
  if (now === text) return;
  let from = 0;
  while (from < Math.min(now.length, text.length) && now[from] === text[from]) from++;
  let tail = 0;
  while (tail < Math.min(now.length, text.length) - from && now.at(-1 - tail) === text.at(-1 - tail)) tail++;
  view.dispatch({
    changes: { from, to: now.length - tail, insert: text.slice(from, text.length - tail) },
    annotations: fromDocument.of(true),
  });
}

export interface Fault {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

export function showFaults(view: EditorView, faults: readonly Fault[]): void {
  const length = view.state.doc.length;
  const diagnostics = faults.map(({ message, from, to }): Diagnostic => {
    // A place between characters is made one wide, or it could not be seen.
    const start = Math.min(from, Math.max(0, length - 1));
    return { from: start, to: Math.min(length, Math.max(to, start + 1)), severity: 'error', message };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** The clipboard on the canvas: by its keys, whose events carry the text, and by name, which a host may not allow. */
import type { Editing } from '../../state/canvas/editing.ts';

export interface ClipboardHost {
  readonly editing: Editing;
  /** Whether something floats above the window, which has the clipboard to itself. */
  readonly isCovered: () => boolean;
  /** One sentence for the user. */
  readonly refuse: (sentence: string) => void;
}

/** The import listens for what is pasted, however it comes. */
export function pasteTable(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}

const inText = (event: Event) => (event.target as Element).closest('input, textarea, select, .cm-editor') !== null;

export function createClipboard({ editing, isCovered, refuse }: ClipboardHost) {
  /** What was copied last, for a host that keeps the clipboard from all but its keys. */
  let lastCopied = '';

  async function write(text: string): Promise<void> {
    lastCopied = text;
    await navigator.clipboard.writeText(text).catch(() => undefined);
  }

  function taken(event: ClipboardEvent): boolean {
    const words = getSelection()?.toString() ?? '';
    const text = inText(event) || words !== '' || isCovered() ? '' : editing.copied();
    if (text === '') return false;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
    return true;
  }

  return {
    byKeys: {
      copy: (event: ClipboardEvent) => void taken(event),
      cut: (event: ClipboardEvent) => {
        if (taken(event)) editing.remove();
      },
      paste(event: ClipboardEvent): void {
        if (inText(event) || isCovered()) return;
        const text = event.clipboardData?.getData('text/plain') ?? '';
        // Files and tables are the import's.
        if (text === '' || editing.isTable(text)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        editing.paste(text);
      },
    },
    copy: () => void write(editing.copied()),
    cut: () => void write(editing.copied()).then(editing.remove),
    async paste(): Promise<void> {
      const text = await navigator.clipboard.readText().catch(() => lastCopied);
      if (text === '') refuse('The clipboard can be read by its keys alone: press Ctrl+V.');
      else editing.paste(text);
    },
  };
}

import type { Attachment } from 'svelte/attachments';

const sayings = new WeakMap<EventTarget, () => string>();

/**
 * Whether another text stands there than it is to say. Only then an undo is of the text: the browser's own would go on
 * to what was taken long ago, at places of a text that stands there no more.
 */
export function isBeingTyped(field: EventTarget): boolean {
  const said = sayings.get(field);
  return said !== undefined && (field as HTMLInputElement).value.trim() !== said().trim();
}

/**
 * An attachment: the field says `value()`, unless it is being written in. What comes meanwhile (an answer that was under
 * way, an undo, the file that another program wrote) takes away nothing that was typed; it is shown once the field is
 * left, where nothing was taken from it.
 */
export function says(value: () => string): Attachment<HTMLInputElement> {
  return (field) => {
    sayings.set(field, value);
    /** What stands there by us, or was taken. */
    let settled = field.value;
    let missed = false;

    function show(text: string) {
      const chosen = document.activeElement === field && isChosen(field);
      if (field.value !== text) field.value = text;
      if (chosen) field.select();
      settled = text;
      missed = false;
    }
    function taken() {
      settled = field.value;
      missed = false;
    }
    function left() {
      if (missed) show(value());
    }
    /** The first Escape takes back what was typed, and no more: the next closes what holds the field, and whatever asks may know by `defaultPrevented`. */
    function takenBack(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.isComposing || !isBeingTyped(field)) return;
      show(value());
      event.preventDefault();
    }

    $effect(() => {
      const text = value();
      missed = document.activeElement === field && field.value !== settled;
      if (!missed) show(text);
    });
    field.addEventListener('change', taken);
    field.addEventListener('blur', left);
    field.addEventListener('keydown', takenBack);
    return () => {
      sayings.delete(field);
      field.removeEventListener('change', taken);
      field.removeEventListener('blur', left);
      field.removeEventListener('keydown', takenBack);
    };
  };
}

/** Whether all of it is selected: what is typed next takes its place. A field of numbers does not tell. */
function isChosen({ value, selectionStart, selectionEnd }: HTMLInputElement): boolean {
  return value !== '' && selectionStart === 0 && selectionEnd === value.length;
}

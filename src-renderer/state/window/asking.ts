/**
 * Whether a dialog stands before the window that has to be answered first: keys, clipboard and menus are then its own, and
 * none of them reaches the document underneath.
 */
export const isAsking = (): boolean => document.querySelector('dialog:modal') !== null;

/** What scrolls can be reached by the keyboard, and only as long as there is something to scroll (WCAG 2.1.1). */
export function scrollable(element: HTMLElement): () => void {
  const judge = () => {
    const more = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
    if (more) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  };
  const sizes = new ResizeObserver(judge);
  sizes.observe(element);
  for (const child of element.children) sizes.observe(child);
  const content = new MutationObserver(judge);
  content.observe(element, { childList: true, subtree: true, characterData: true });
  judge();
  return () => {
    sizes.disconnect();
    content.disconnect();
  };
}

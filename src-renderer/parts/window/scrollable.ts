/**
 * What scrolls can be reached by the keyboard, and only as long as there is something to scroll (WCAG 2.1.1); where more
 * lies beyond its right edge, style/base.css fades it there.
 */
export function scrollable(element: HTMLElement): () => void {
  const judge = () => {
    const wider = element.scrollWidth > element.clientWidth + 1;
    const more = wider || element.scrollHeight > element.clientHeight + 1;
    if (more) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
    element.toggleAttribute(
      'data-more-right',
      wider && element.scrollLeft + element.clientWidth < element.scrollWidth - 1,
    );
  };
  const sizes = new ResizeObserver(judge);
  sizes.observe(element);
  for (const child of element.children) sizes.observe(child);
  const content = new MutationObserver(judge);
  content.observe(element, { childList: true, subtree: true, characterData: true });
  element.addEventListener('scroll', judge, { passive: true });
  judge();
  return () => {
    sizes.disconnect();
    content.disconnect();
    element.removeEventListener('scroll', judge);
  };
}

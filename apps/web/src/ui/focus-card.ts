/**
 * Returns a function that focuses the card around `element`. Get it before a row is removed and call it afterwards: the pressed button
 * disappears with its row, and the keyboard would start at the top of the page.
 */
export function focusCard(element: Element | null): () => void {
  const card = element?.closest<HTMLElement>("section");
  return () => {
    if (!card) return;
    card.tabIndex = -1;
    card.focus({ preventScroll: true });
  };
}

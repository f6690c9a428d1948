/**
 * What gives the focus to the card around `element`. Taken before a row is removed and called after: the button that was pressed
 * goes with its row, and the keyboard would start at the top of the page.
 */
export function focusCard(element: Element | null): () => void {
  const card = element?.closest<HTMLElement>("section");
  return () => {
    if (!card) return;
    card.tabIndex = -1;
    card.focus({ preventScroll: true });
  };
}

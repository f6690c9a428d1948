/** Whether the focus is in an open dialog, such as a palette opened while a page was fetched: the page then leaves it there. */
export const hasFocusedDialog = (): boolean =>
  document.activeElement?.closest("[role=dialog][data-open], [role=alertdialog][data-open]") != null;

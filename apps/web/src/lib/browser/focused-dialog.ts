/** Whether a dialog was opened and is still being fetched: it is about to take the focus, and the keys pressed until then are meant for it. */
export const isDialogComing = (): boolean => document.querySelector("[role=dialog][hidden]") !== null;

/** Whether the focus is in an open dialog, such as a palette opened while a page was fetched: the page then leaves it there. */
export const hasFocusedDialog = (): boolean =>
  document.activeElement?.closest("[role=dialog][data-open], [role=alertdialog][data-open]") != null;

/** What dialogs are drawn with: fetched when the first one opens, or before by the panel's frame. */

export const loadConfirmBox = () => import("./confirm-box.tsx");
export const loadDialogBox = () => import("./dialog-box.tsx");

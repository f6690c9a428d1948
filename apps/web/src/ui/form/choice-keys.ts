/** The keys that choose an option of a list: 1 to 9, 0 for the tenth, letters for those after it. */
import { useEffect, type RefObject } from "react";
import { hasFocusedDialog, isDialogComing } from "../../lib/browser/focused-dialog.ts";

const keys = "1234567890abcdef";

/** The key of an option by its index, counted from 0; undefined after the sixteenth. */
export const choiceKey = (index: number): string | undefined => keys[index];

/** Fields in which a digit is text. */
const typed = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"]';
/** Elements in which Enter already has a meaning; in a form it submits that form. */
const pressed = "form, button, a, summary";

/** Returns the `keydown` handler of a document for the choices in `area`. */
export const choiceKeyHandler =
  (area: RefObject<HTMLFormElement | null>) =>
  (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(typed) || hasFocusedDialog() || isDialogComing()) return;
    if (event.key === "Enter") {
      if (target?.closest(pressed)) return;
      event.preventDefault();
      return area.current?.requestSubmit();
    }
    if (!/^[0-9a-f]$/i.test(event.key)) return;
    const option = area.current?.querySelector<HTMLInputElement>(`[data-choice-key="${event.key.toLowerCase()}"]`);
    if (!option) return;
    event.preventDefault();
    option.focus();
    // As a mouse would, which is a decision for this option.
    const label = option.closest("label") ?? option;
    label.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "mouse", pressure: 0.5 }));
    label.click();
  };

/**
 * Chooses the option of the pressed key in `area`, and focuses it; Enter submits the form even if none of its fields has the focus. Does
 * nothing while someone is typing, or a dialog is open or about to be.
 */
export function useChoiceKeys(area: RefObject<HTMLFormElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const press = choiceKeyHandler(area);
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [area, isOn]);
}

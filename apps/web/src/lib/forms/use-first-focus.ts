/** Puts the cursor where typing begins, so that no click is needed. */
import { useEffect, type RefObject } from "react";

/**
 * Focuses the form's first field once it is shown, or its first empty one: with a mouse or trackpad only, as a touch screen's keyboard would
 * cover the page.
 */
export function useFirstFocus(form: RefObject<HTMLFormElement | null>, which: "first" | "first-empty" = "first"): void {
  useEffect(() => {
    if (!matchMedia("(pointer: fine)").matches) return;
    const fields = [...(form.current?.querySelectorAll<HTMLInputElement>("input:not([type=hidden])") ?? [])];
    const field = (which === "first-empty" && fields.find(({ value }) => value === "")) || fields[0];
    field?.focus({ preventScroll: true });
    return field ? hideFirstBlur(field) : undefined;
  }, [form, which]);
}

/**
 * Keeps fields from reporting that they are empty when a focus that the user did not set leaves the form before anything was typed;
 * switching to another window does not count. Returns a function that stops it.
 */
export function hideFirstBlur(field: Pick<HTMLInputElement, "ownerDocument" | "addEventListener">): () => void {
  const over = new AbortController();
  const hide = (event: Event): void => {
    event.stopPropagation();
    if (field.ownerDocument.activeElement !== field) over.abort();
  };
  // React listens for it at the root of the page.
  field.addEventListener("focusout", hide, { signal: over.signal });
  field.addEventListener("input", () => over.abort(), { signal: over.signal });
  return () => over.abort();
}

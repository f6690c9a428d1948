import { removeDrafts, type UnsavedForms } from "../../../lib/forms/unsaved-input.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { t } from "./words.ts";

/** Says what became of the input in this tab, after the user signed out in another one. */
export function saySignedOut({ stored, held }: UnsavedForms): void {
  if (held.length > 0) notify("warning", t("unsaved.lost"));
  if (stored.length > 0) notify("warning", t("unsaved.kept"), { label: t("unsaved.discard"), run: () => removeDrafts() });
}

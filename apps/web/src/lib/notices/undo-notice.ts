/** Says what was done, with a button that undoes it. Only for what the service can really undo. */
import { t } from "../../words/frame.ts";
import { asker } from "../api/asker.ts";
import { errorWords } from "../errors/error-words.ts";
import { notify } from "./notices.ts";

interface Undo {
  /** By default "Undo"; another word if undoing does more than that. */
  label?: string;
  /** Undoes it; a rejection is shown. */
  run: () => Promise<unknown>;
  /** The message afterwards; by default that it was undone. */
  done?: string;
}

/**
 * Shows `text` with the button. It stays for 15 s, longer while it has focus or the pointer, and leaving the page does not take it away.
 */
export function notifyWithUndo(text: string, { label, run, done }: Undo): void {
  const undo = async (): Promise<void> => {
    const person = asker.person();
    try {
      await run();
    } catch (error) {
      // Its user has signed out: the outcome does not concern the next one.
      if (asker.person() !== person) return;
      const { sentence, next } = errorWords(error);
      return notify("danger", `${t("common.undoFailed")} ${sentence} ${next}`);
    }
    if (asker.person() === person) notify("success", done ?? t("common.undone"));
  };
  notify("success", text, { label: label ?? t("common.undo"), run: () => void undo() });
}

import { useId } from "react";
import { Button } from "../button.tsx";

interface SaveBarProps {
  /** Whether there is anything to save, or to discard. */
  isDirty: boolean;
  /** Why nothing can be saved now, if so: shown in place of `state`. */
  blocked?: string | undefined;
  /** Whether a question above has to be answered first. */
  isHeld?: boolean;
  pending: boolean;
  /** Beside the buttons: how much is not saved, or that everything is. */
  state: string;
  words: { save: string; saving: string; discard: string };
  onDiscard: () => void;
}

/** The end of a form: what is not saved yet, and the buttons to save and to discard it. */
export function SaveBar({ isDirty, blocked, isHeld = false, pending, state, words, onDiscard }: SaveBarProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-5 py-4 sm:px-6">
      <Button
        type="submit"
        disabled={!isDirty || isHeld || blocked !== undefined}
        aria-describedby={`${id}-state`}
        pending={pending}
        pendingText={words.saving}
        className="max-sm:w-full"
      >
        {words.save}
      </Button>
      {isDirty && !pending ? (
        <Button tone="quiet" onClick={onDiscard} className="max-sm:w-full">
          {words.discard}
        </Button>
      ) : null}
      <p id={`${id}-state`} className="text-sm text-ink-soft max-sm:w-full max-sm:text-center">
        {blocked ?? state}
      </p>
    </div>
  );
}

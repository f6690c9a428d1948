/** Moves on once an answer was decided for, without a second press. */
import { useCallback, useEffect, useRef } from "react";
import type { Question } from "./questions.ts";

/** Long enough to see which answer was chosen. */
const seenMs = 280;
/** A press of someone who expected to have to confirm the answer, and did not see yet that the next question is there. */
const habitMs = 700;

interface MoveOn {
  /** Moves on in a moment, unless the visitor does so, or something else, first. */
  soon: () => void;
  /** Another move takes precedence. */
  stop: () => void;
  /** Whether a press to continue means the question in view: not if it only confirms the answer that has just led on. */
  isMeant: () => boolean;
}

export function useMoveOn(question: Question, next: () => void): MoveOn {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const movedMs = useRef(-Infinity);
  const newest = useRef(next);
  useEffect(() => {
    newest.current = next;
  });
  useEffect(() => {
    // From when it can be seen.
    if (movedMs.current === Infinity) requestAnimationFrame(() => (movedMs.current = performance.now()));
    return () => clearTimeout(timer.current);
  }, [question]);
  return {
    soon: useCallback(() => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        movedMs.current = Infinity;
        newest.current();
      }, seenMs);
    }, []),
    stop: useCallback(() => clearTimeout(timer.current), []),
    isMeant: useCallback(() => performance.now() - movedMs.current > habitMs, []),
  };
}

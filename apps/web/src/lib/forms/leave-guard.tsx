import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { knownUser } from "../session/session.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { holdInput } from "./unsaved-input.ts";

/**
 * Asks before unsaved input is lost: within the panel, when the tab is closed, and when the user signs out. It does not ask when the
 * session has ended. Whoever left while their input was being saved is let go once it is saved.
 */
export function LeaveGuard({ active, words }: { active: boolean; words: { title: string; text: string; leave: string; stay: string } }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && Boolean(knownUser()) && currentLocation.pathname !== nextLocation.pathname,
  );
  const [signOut, setSignOut] = useState<{ answer: (leaves: boolean) => void } | null>(null);
  useEffect(() => {
    if (!active) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", hold);
    const release = holdInput(() => new Promise((answer) => setSignOut({ answer })));
    return () => {
      removeEventListener("beforeunload", hold);
      release();
    };
  }, [active]);
  // Without an answer, signing out would wait for ever.
  useEffect(() => () => signOut?.answer(false), [signOut]);
  const answer = (leaves: boolean) => {
    signOut?.answer(leaves);
    setSignOut(null);
    if (blocker.state !== "blocked") return;
    if (leaves) blocker.proceed();
    else blocker.reset();
  };
  const isAsking = blocker.state === "blocked" || signOut !== null;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when it becomes so
  useEffect(() => void (isAsking && !active && answer(true)), [isAsking, active]);
  return (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={(isOpen) => !isOpen && answer(false)}
      title={words.title}
      confirmLabel={words.leave}
      cancelLabel={words.stay}
      onConfirm={() => answer(true)}
    >
      {words.text}
    </ConfirmDialog>
  );
}

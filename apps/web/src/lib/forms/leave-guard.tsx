import { useEffect } from "react";
import { useBlocker } from "react-router";
import { knownUser } from "../session/session.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

/**
 * Asks before unsaved input is lost by leaving the page, within the panel or with the tab; signing out asks for all forms
 * (./unsaved-input.ts). It does not ask when the session has ended. A user who leaves while input is being saved leaves once it is saved.
 */
export function LeaveGuard({ active, words }: { active: boolean; words: { title: string; text: string; leave: string; stay: string } }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && Boolean(knownUser()) && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!active) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", hold);
    return () => removeEventListener("beforeunload", hold);
  }, [active]);
  const answer = (leaves: boolean) => {
    if (blocker.state !== "blocked") return;
    if (leaves) blocker.proceed();
    else blocker.reset();
  };
  const isAsking = blocker.state === "blocked";
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

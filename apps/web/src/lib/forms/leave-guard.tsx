import { useEffect } from "react";
import { useBlocker } from "react-router";
import { knownUser } from "../session/session.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

/** Asks before unsaved input is lost, within the panel and when the tab is closed. It does not ask when the session has ended. */
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
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      onOpenChange={(isOpen) => !isOpen && blocker.state === "blocked" && blocker.reset()}
      title={words.title}
      confirmLabel={words.leave}
      cancelLabel={words.stay}
      onConfirm={() => blocker.proceed?.()}
    >
      {words.text}
    </ConfirmDialog>
  );
}

/**
 * After a change made here, the panel watches the workspace and announces when it is online. Recovery from a crash is shown, but not
 * announced.
 */
import { useEffect, useRef } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { notify } from "../../lib/notices/notices.ts";
import { onSessionEnd } from "../../lib/session/session.ts";
import { createStore } from "../../lib/store.ts";
import { t } from "./words.ts";
import { isOnline } from "./state/workspace-status.ts";

/** Longer than a restart takes. What comes online later does so for another reason. */
const awaitedMs = 15 * 60_000;
let awaitedUntilMs = 0;

// The next account's workspace is not the one that was changed.
onSessionEnd(() => (awaitedUntilMs = 0));

/** Counts the changes made in this tab: each starts a new watch of the workspace, with its own polls. */
export const workspaceChanges = createStore(0);

/** A change may restart the workspace: it is watched again, even if an earlier run of polls has ended. */
export const watchAgain = (): void => workspaceChanges.set(workspaceChanges.get() + 1);

/** A change restarts the workspace: it is watched again, and its return is announced. */
export function awaitOnline(): void {
  awaitedUntilMs = Date.now() + awaitedMs;
  watchAgain();
}

/** Says 'Your workspace is now online.' once the awaited workspace is. */
export function useOnlineNotice(instance: Instance | null | undefined): void {
  const wasOnline = useRef<boolean>(undefined);
  useEffect(() => {
    if (!instance) return;
    const isBack = isOnline(instance) && wasOnline.current === false;
    wasOnline.current = isOnline(instance);
    if (!isBack || Date.now() > awaitedUntilMs) return;
    awaitedUntilMs = 0;
    notify("success", t("watching.online"));
  }, [instance]);
}

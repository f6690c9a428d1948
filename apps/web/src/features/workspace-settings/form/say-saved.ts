/** The message after settings are saved. Fetched while the user reads the form, because its pages are at their size budget. */
import type { QueryClient } from "@tanstack/react-query";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { notifyWithUndo } from "../../../lib/notices/undo-notice.ts";
import { awaitOnline } from "../../workspace/online-notice.ts";
import { journalKey, workspaceQuery } from "../../workspace/workspace-queries.ts";
import { t } from "../words.ts";
import { valuesOf } from "./settings-values.ts";

/** Offers to undo it, unless the version changed: going back to a version takes its backup, not only its name. */
export function saySaved(before: Instance, saved: Instance, queries: QueryClient): void {
  const restarts = saved.status === instanceStatus.pending;
  const text = t(restarts ? "settings.savedRestarting" : "settings.saved");
  if (before.versionName !== saved.versionName) return notify("success", text);
  notifyWithUndo(text, {
    ...(restarts && { label: t("settings.undoRestarting") }),
    async run() {
      const { status: _status, ...rest } = saved;
      const back = await callApi("changeInstance", { body: { ...rest, ...valuesOf(before) } });
      queries.setQueryData(workspaceQuery.queryKey, back);
      if (back.status === instanceStatus.pending) awaitOnline();
      void queries.invalidateQueries({ queryKey: journalKey });
    },
  });
}

/** What is said once settings are saved. Fetched while the form is read: its pages are at their budget. */
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

/** Offers to undo it, unless the version changed: its backup leads back, not its name. */
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

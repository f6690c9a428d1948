import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { loadFrontEndConfig } from "../../lib/front-end-config.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useAction, type Action } from "../../lib/use-action.ts";
import { awaitOnline } from "./online-notice.ts";
import { t } from "./words.ts";
import { journalKey, workspaceQuery } from "./workspace-queries.ts";

/** Restarts the workspace; the button or command that offers it asks first. */
export function useRestart(): Action<void> {
  const queries = useQueryClient();
  return useAction(async () => {
    try {
      queries.setQueryData(workspaceQuery.queryKey, await callApi("restartInstance"));
      awaitOnline();
    } catch (error) {
      if (hasCode(error, "instance_operations_off")) void loadFrontEndConfig();
      throw error;
    }
    void queries.invalidateQueries({ queryKey: journalKey });
    notify("info", t("workspace.restartAsked"));
  });
}

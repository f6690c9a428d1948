import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../../lib/api/api-client.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { awaitOnline } from "../../workspace/online-notice.ts";
import { TypedNameForm } from "../../workspace/typed-name-form.tsx";
import { journalKey, workspaceQuery } from "../../workspace/workspace-queries.ts";
import { t } from "./words.ts";

/** Typing the account's name takes the workspace back to the version before the last update. */
export default function RollBackDialog({ life, to, time, onClose }: { life: number; to: string; time: string; onClose: () => void }) {
  // The one shown when the dialog opened, even if another has taken its place by the time the name is typed.
  const [meant] = useState(life);
  const queries = useQueryClient();
  const goBack = useAction(async (accountName: string) => {
    const instance = await callApi("rollBackInstance", { body: { accountName, life: meant } });
    awaitOnline();
    queries.setQueryData(workspaceQuery.queryKey, instance);
    void queries.invalidateQueries({ queryKey: journalKey });
    notify("info", t("updates.asking"));
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("updates.dialogTitle", { to })}
      description={t("updates.dialogLead", { time })}
      closeLabel={t("common.close")}
    >
      <TypedNameForm
        action={goBack}
        label={(name) => t("updates.typeName", { name })}
        failed={t("updates.refused")}
        confirm={t("updates.confirm")}
        pending={t("updates.going")}
      />
    </Dialog>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { callApi } from "../../lib/api/api-client.ts";
import { notify } from "../../lib/notices.ts";
import { paths } from "../../lib/paths.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { t } from "./words.ts";
import { TypedNameForm } from "../workspace/typed-name-form.tsx";
import { journalKey, workspaceQuery } from "../workspace/workspace-queries.ts";

/** The account's name, typed, deletes the workspace; a session that a workspace opened is asked for the password on the way. */
export function DeleteDialog({ life, onClose }: { life: number; onClose: () => void }) {
  const account = useMaybeUser()?.username ?? "";
  // The one that was shown when the dialog opened, whatever has its place by the time the name is typed.
  const [meant] = useState(life);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useAction(async (accountName: string) => {
    queries.setQueryData(workspaceQuery.queryKey, await callApi("deleteInstance", { body: { accountName, life: meant } }));
    void queries.invalidateQueries({ queryKey: journalKey });
    notify("info", t("settings.danger.asked"));
    onClose();
    await navigate(paths.dashboard);
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("settings.danger.dialogTitle")}
      description={t("settings.danger.dialogLead", { name: account })}
      closeLabel={t("common.close")}
    >
      <TypedNameForm
        action={remove}
        label={(name) => t("settings.danger.typeName", { name })}
        failed={t("settings.danger.failed")}
        confirm={t("settings.danger.confirm")}
        pending={t("settings.danger.deleting")}
      >
        <Link to={paths.export} className="link text-sm">
          {t("settings.danger.export")}
        </Link>
      </TypedNameForm>
    </Dialog>
  );
}

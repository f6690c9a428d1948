import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { fieldMessage } from "#contract/field-words.ts";
import { callApi } from "../../lib/api-client.ts";
import { notify } from "../../lib/notices.ts";
import { paths } from "../../lib/paths.ts";
import { useMaybeUser } from "../../lib/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { t } from "../../words/words.ts";
import { journalKey, workspaceQuery } from "../workspace/workspace-queries.ts";

/** The account's name, typed, deletes the workspace; a session that a workspace opened is asked for the password on the way. */
export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const name = useMaybeUser()?.username ?? "";
  const [typed, setTyped] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const remove = useDeletion(typed, onClose);
  const submit = () => {
    setIsWrong(typed !== name);
    if (typed === name) void remove.run();
  };
  return (
    <Dialog open onClose={onClose} title={t("settings.danger.dialogTitle")} description={t("settings.danger.dialogLead", { name })} closeLabel={t("common.close")}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className="mt-4 space-y-4"
      >
        <Link to={paths.export} className="link text-sm">
          {t("settings.danger.export")}
        </Link>
        {remove.error ? <ErrorNotice error={remove.error} title={t("settings.danger.failed")} /> : null}
        <TextField
          label={t("settings.danger.typeName", { name })}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={isWrong && typed !== name ? fieldMessage("account_name.confirmation") : undefined}
        />
        <Button type="submit" tone="danger" pending={remove.pending} pendingText={t("settings.danger.deleting")} className="w-full">
          {t("settings.danger.confirm")}
        </Button>
      </form>
    </Dialog>
  );
}

function useDeletion(accountName: string, onClose: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useAction(async () => {
    queries.setQueryData(workspaceQuery.queryKey, await callApi("deleteInstance", { body: { accountName } }));
    void queries.invalidateQueries({ queryKey: journalKey });
    notify("info", t("settings.danger.asked"));
    onClose();
    await navigate(paths.dashboard);
  });
}

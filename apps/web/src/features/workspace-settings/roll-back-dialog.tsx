import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { fieldMessage } from "#contract/field-words.ts";
import { callApi } from "../../lib/api-client.ts";
import { notify } from "../../lib/notices.ts";
import { useMaybeUser } from "../../lib/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { t } from "../../words/words.ts";
import { journalKey, workspaceQuery } from "../workspace/workspace-queries.ts";

/** The account's name, typed, takes the workspace back to the version before the last update. */
export function RollBackDialog({ to, time, onClose }: { to: string; time: string; onClose: () => void }) {
  const name = useMaybeUser()?.username ?? "";
  const [typed, setTyped] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const queries = useQueryClient();
  const goBack = useAction(async () => {
    queries.setQueryData(workspaceQuery.queryKey, await callApi("rollBackInstance", { body: { accountName: typed } }));
    void queries.invalidateQueries({ queryKey: journalKey });
    notify("info", t("updates.asking"));
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={t("updates.dialogTitle", { to })} description={t("updates.dialogLead", { time })} closeLabel={t("common.close")}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIsWrong(typed !== name);
          if (typed === name) void goBack.run();
        }}
        className="mt-4 space-y-4"
      >
        {goBack.error ? <ErrorNotice error={goBack.error} title={t("updates.refused")} /> : null}
        <TextField
          label={t("updates.typeName", { name })}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={isWrong && typed !== name ? fieldMessage("account_name.confirmation") : undefined}
        />
        <Button type="submit" tone="danger" pending={goBack.pending} pendingText={t("updates.going")} className="w-full">
          {t("updates.confirm")}
        </Button>
      </form>
    </Dialog>
  );
}

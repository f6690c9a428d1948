import { Check, Trash2, X } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { t } from "./words.ts";
import { t as workspaceText } from "../../workspace/words.ts";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";
import { callApi } from "../../../lib/api/api-client.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { paths } from "../../../lib/paths.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { TypedNameForm } from "../../workspace/typed-name-form.tsx";
import { journalKey, workspaceQuery } from "../../workspace/workspace-queries.ts";

/** Deletes the workspace, once the account's name is typed. */
export function DangerZone({ life }: { life: number }) {
  const id = useId();
  const [isAsking, setIsAsking] = useState(false);
  const { instanceOperations } = useFrontEndConfig();
  return (
    <Section title={t("danger.title")} className="border-danger/50!">
      <p id={id} className="max-w-prose text-sm text-ink-soft">
        {instanceOperations ? t("danger.text") : workspaceText("manage.operationsOff")}
      </p>
      <div className="mt-4 grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Outcome title={t("danger.removed")} icon={<X className="mt-[3px] size-4 shrink-0 text-danger" aria-hidden="true" />}>
          {[t("danger.workflows"), t("danger.credentials"), t("danger.access")]}
        </Outcome>
        <Outcome title={t("danger.kept")} icon={<Check className="mt-[3px] size-4 shrink-0 text-success" aria-hidden="true" />}>
          {[t("danger.backup"), t("danger.variables"), t("danger.account")]}
        </Outcome>
      </div>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
        <Link to={paths.export} className="link text-sm">
          {t("danger.export")}
        </Link>
        <Button
          tone="danger"
          disabled={!instanceOperations}
          aria-describedby={id}
          onClick={() => setIsAsking(true)}
          className="max-sm:w-full disabled:opacity-60"
        >
          <Trash2 className="size-4" aria-hidden="true" />
          {t("danger.delete")}
        </Button>
      </div>
      {isAsking ? <DeleteDialog life={life} onClose={() => setIsAsking(false)} /> : null}
    </Section>
  );
}

const Outcome = ({ title, icon, children }: { title: string; icon: ReactNode; children: readonly string[] }) => (
  <div>
    <h3 className="text-sm font-medium">{title}</h3>
    <ul className="mt-1.5 space-y-1 text-sm text-ink-soft">
      {children.map((text) => (
        <li key={text} className="flex gap-2">
          {icon}
          {text}
        </li>
      ))}
    </ul>
  </div>
);

/** Typing the account's name deletes the workspace; the password is asked for on top, unless it was typed recently. */
function DeleteDialog({ life, onClose }: { life: number; onClose: () => void }) {
  const account = useMaybeUser()?.username ?? "";
  // The one shown when the dialog opened, even if another has taken its place by the time the name is typed.
  const [meant] = useState(life);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useAction(async (accountName: string) => {
    queries.setQueryData(workspaceQuery.queryKey, await callApi("deleteInstance", { body: { accountName, life: meant } }));
    void queries.invalidateQueries({ queryKey: journalKey });
    notify("info", t("danger.asked"));
    onClose();
    await navigate(paths.dashboard);
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("danger.dialogTitle")}
      description={t("danger.dialogLead", { name: account })}
      closeLabel={t("common.close")}
    >
      <TypedNameForm
        action={remove}
        label={(name) => t("danger.typeName", { name })}
        failed={t("danger.failed")}
        confirm={t("danger.confirm")}
        pending={t("danger.deleting")}
      >
        <Link to={paths.export} className="link text-sm">
          {t("danger.export")}
        </Link>
      </TypedNameForm>
    </Dialog>
  );
}

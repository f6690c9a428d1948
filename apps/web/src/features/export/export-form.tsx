import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { notify } from "../../lib/notices/notices.ts";
import { knownUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/form/checkbox-field.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { t } from "./words.ts";
import { backupsQuery } from "./backups-query.ts";
import { checkExportForm, emptyExportForm, type ExportValues } from "./check-export-form.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";
import { AccountOfPassword } from "../../lib/forms/account-of-password.tsx";

/** Requests an export; with credentials, also asks for a passphrase and the password. */
export function ExportForm() {
  const [values, setValues] = useState(emptyExportForm);
  const [isSent, setIsSent] = useState(false);
  const ask = useExport(values);
  const found = isSent ? checkExportForm(values) : {};
  const refused = ask.error instanceof ApiError ? ask.error.fields : [];
  const set = (change: Partial<ExportValues>) => setValues({ ...values, ...change });
  const codeOf = (name: "passphrase" | "passphraseAgain" | "password") => found[name] ?? refused.find(({ path }) => path === name)?.code;
  const message = (code: string | undefined) => code && fieldMessage(code);
  const field = (name: "passphrase" | "passphraseAgain" | "password", autoComplete: string) => ({
    value: values[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
    showLabel: t("exporting.take.show"),
    hideLabel: t("exporting.take.hide"),
    autoComplete,
    error: message(codeOf(name)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsSent(true);
    if (Object.keys(checkExportForm(values)).length === 0) void ask.run();
  };
  return (
    <form noValidate onSubmit={submit} className="max-w-md space-y-4">
      <AccountOfPassword email={knownUser()?.email} />
      {ask.error && refused.length === 0 ? <ErrorNotice error={ask.error} title={t("exporting.take.failed")} /> : null}
      <CheckboxField
        label={t("exporting.take.withCredentials")}
        hint={t("exporting.take.withCredentialsHint")}
        checked={values.withCredentials}
        onChange={(event) => set({ withCredentials: event.target.checked })}
      />
      {values.withCredentials ? (
        <>
          <PasswordField
            label={t("exporting.take.passphrase")}
            hint={t("exporting.take.passphraseHint")}
            {...field("passphrase", "new-password")}
          />
          <PasswordField label={t("exporting.take.passphraseAgain")} {...field("passphraseAgain", "new-password")} />
          <PasswordField
            label={t("exporting.take.password")}
            hint={t("exporting.take.passwordHint")}
            {...field("password", "current-password")}
          />
        </>
      ) : null}
      <Button type="submit" pending={ask.pending} pendingText={t("exporting.take.starting")}>
        {t("exporting.take.start")}
      </Button>
    </form>
  );
}

/** Says that a mail follows, unless the user switched that mail off. An export with credentials is always reported. */
export const sayMailed = (sentence: string, withCredentials: boolean): string =>
  knownUser()?.profile.mutedMails.includes("exports") && !withCredentials ? sentence : `${sentence} ${t("exporting.take.mailed")}`;

function useExport({ withCredentials, passphrase, password }: ExportValues) {
  const queries = useQueryClient();
  return useAction(async () => {
    await callApi("exportWorkflows", { body: withCredentials ? { withCredentials, passphrase, password } : { withCredentials } });
    notify("info", sayMailed(t("exporting.take.asked"), withCredentials));
    await queries.invalidateQueries({ queryKey: backupsQuery.queryKey });
  });
}

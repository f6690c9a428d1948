import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { changeEmail } from "#contract/accounts/credential.ts";
import type { User } from "#contract/accounts/account.ts";
import type { FieldCode } from "#contract/api/field-words.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { refreshUser } from "../../../lib/session/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { t } from "../words.ts";
import { emailChangeQuery } from "./email-change-query.ts";
import { placeFieldErrors } from "../place-field-errors.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";
import { AccountOfPassword } from "../../../lib/forms/account-of-password.tsx";

type Values = { email: string; password: string };

const same: FieldCode = "email.same";

/**
 * Asks for the new address and the password. A confirmed address is replaced when the link in the new mailbox is opened,
 * an unconfirmed one immediately.
 */
export function ChangeEmailDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [sentTo, setSentTo] = useState<string>();
  const onSent = async (email: string, wasConfirmed: boolean) => {
    // An address that was never confirmed is replaced immediately, and the page behind this dialog says the rest.
    const isCorrected = !wasConfirmed && (await refreshUser().catch(() => null))?.email === email;
    await queryClient.invalidateQueries({ queryKey: emailChangeQuery.queryKey });
    if (!isCorrected) return setSentTo(email);
    notify("success", t("account.email.corrected", { email }));
    onClose();
  };
  const isSent = sentTo !== undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={isSent ? t("account.email.sentTitle") : t("account.email.title")}
      description={
        isSent
          ? t("account.email.sent", { email: sentTo })
          : t(user.confirmed ? "account.email.lead" : "account.email.correctLead", { email: user.email })
      }
      closeLabel={t("account.close")}
    >
      {isSent ? (
        <Button className="mt-6 w-full" onClick={onClose}>
          {t("account.email.done")}
        </Button>
      ) : (
        <Form user={user} onSent={onSent} />
      )}
    </Dialog>
  );
}

function Form({ user, onSent }: { user: User; onSent: (email: string, wasConfirmed: boolean) => Promise<void> }) {
  // The address survives an ended session; the password is never kept. One that was never confirmed usually has a typo to correct.
  const [draft, keepDraft, forgetDraft] = useDraft<string>(`change-email.${user.id}`, user.confirmed ? "" : user.email);
  const schema = changeEmail.body.refine(({ email }) => email !== user.email, { path: ["email"], message: same });
  const form = useForm<Values>({ resolver: zodResolver(schema), mode: "onTouched", defaultValues: { email: draft, password: "" } });
  const send = useAction(async (body: Values) => {
    try {
      await callApi("changeEmail", { body });
    } catch (error) {
      if (placeFieldErrors(error, ["email", "password"], form.setError)) return;
      throw error;
    }
    forgetDraft();
    await onSent(body.email, user.confirmed);
  });
  const { errors } = form.formState;
  const errorOf = (name: keyof Values) => (errors[name]?.message ? fieldMessage(errors[name].message) : undefined);
  const email = form.register("email", { onChange: (event: { target: { value: string } }) => keepDraft(event.target.value) });
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(send.run)(event)} className="mt-5 space-y-4">
      <AccountOfPassword email={user.email} />
      {send.error ? <ErrorNotice error={send.error} title={t("account.email.failed")} /> : null}
      <TextField
        {...email}
        label={t("account.email.email")}
        error={errorOf("email")}
        type="email"
        autoComplete="email"
        spellCheck={false}
      />
      <PasswordField
        {...form.register("password")}
        label={t("account.email.password")}
        error={errorOf("password")}
        autoComplete="current-password"
        showLabel={t("password.show")}
        hideLabel={t("password.hide")}
      />
      <Button type="submit" pending={send.pending} pendingText={t("account.email.pending")} className="w-full">
        {t(user.confirmed ? "account.email.submit" : "account.email.correctSubmit")}
      </Button>
    </form>
  );
}

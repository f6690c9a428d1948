/** Asks for the password on top of whichever page made the call that needs it. */
import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useId, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { confirmPassword } from "#contract/accounts/credential.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { queryClient } from "../../lib/api/query-client.ts";
import { knownUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { askOnTop } from "../../ui/dialog/ask-on-top.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { t } from "./words.ts";
import { placeFieldErrors } from "./place-field-errors.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";
import { AccountOfPassword } from "../../lib/forms/account-of-password.tsx";

let asking: Promise<boolean> | undefined;

/** Declined for what a page reads: pages read again without a click, and must not bring the dialog back. */
let isDeclined = false;

/**
 * Whether the user has entered their password; calls that need it at the same time share one dialog. If `isForPage`, a user who closed the
 * dialog is asked again only after their next click or key.
 */
export async function askPassword(isForPage: boolean): Promise<boolean> {
  if (isForPage && isDeclined && !asking) return false;
  asking ??= askOnTop((answer) => <ConfirmPasswordDialog onDone={answer} />).finally(() => (asking = undefined));
  const isConfirmed = await asking;
  // Parts of the page that were refused before; the one that is waiting repeats its call itself.
  if (isConfirmed) void queryClient.refetchQueries({ type: "active", predicate: ({ state: { error } }) => wasRefused(error) });
  if (!isConfirmed && isForPage && !isDeclined) {
    isDeclined = true;
    const forget = new AbortController();
    for (const event of ["click", "keydown"])
      addEventListener(event, () => ((isDeclined = false), forget.abort()), { capture: true, signal: forget.signal });
  }
  return isConfirmed;
}

const wasRefused = (error: unknown): boolean => error instanceof ApiError && error.code === "password_needed";

type Values = { password: string };

/**
 * Asks for the password where this session has to prove it (contract/session-rights.ts). Uses the browser's own modal, which may open above
 * one of our dialogs and leaves that unchanged.
 */
function ConfirmPasswordDialog({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [titleId, leadId] = [useId(), useId()];
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      aria-describedby={leadId}
      onCancel={() => onDone(false)}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] overflow-y-auto rounded-xl border border-line bg-raised p-6 text-ink shadow-pop backdrop:bg-black/50"
    >
      <h2 id={titleId} className="text-lg font-semibold">
        {t("account.confirmPassword.title")}
      </h2>
      <p id={leadId} className="mt-2 text-sm text-ink-soft">
        {t("account.confirmPassword.lead")}
      </p>
      {knownUser()?.hasPassword === false ? <NoPassword onClose={() => onDone(false)} /> : <Form onDone={onDone} />}
    </dialog>
  );
}

/** A mailed link, because only a session that it opens may choose a first password. */
function NoPassword({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p className="mt-4 text-sm">{t("account.confirmPassword.none")}</p>
      <MailedLink />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button tone="plain" onClick={onClose}>
          {t("account.confirmPassword.cancel")}
        </Button>
      </div>
    </>
  );
}

/** The way on without the password, however this session was opened. */
function MailedLink() {
  const [email] = useState(() => knownUser()?.email ?? "");
  const [isSent, setSent] = useState(false);
  const mail = useAction(async () => {
    await callApi("forgotPassword", { body: { email } });
    setSent(true);
  });
  return (
    <div className="mt-4 space-y-3 text-sm" aria-live="polite">
      {mail.error ? <ErrorNotice error={mail.error} title={t("account.confirmPassword.notSent")} /> : null}
      {isSent ? (
        <p className="[overflow-wrap:anywhere]">{t("account.confirmPassword.sent", { email })}</p>
      ) : (
        <Button tone="plain" pending={mail.pending} pendingText={t("account.confirmPassword.sending")} onClick={() => void mail.run()}>
          {t("account.confirmPassword.mail")}
        </Button>
      )}
    </div>
  );
}

function Form({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  const form = useForm<Values>({ resolver: zodResolver(confirmPassword.body), defaultValues: { password: "" } });
  const confirm = useAction(async (body: Values) => {
    try {
      await callApi("confirmPassword", { body });
    } catch (error) {
      if (placeFieldErrors(error, ["password"], form.setError)) return;
      throw error;
    }
    onDone(true);
  });
  const problem = form.formState.errors.password?.message;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(confirm.run)(event)} className="mt-5 space-y-4">
      <AccountOfPassword email={knownUser()?.email} />
      {confirm.error ? <ErrorNotice error={confirm.error} title={t("account.confirmPassword.failed")} /> : null}
      <PasswordField
        {...form.register("password")}
        label={t("account.confirmPassword.password")}
        error={problem ? fieldMessage(problem) : undefined}
        autoComplete="current-password"
        showLabel={t("password.show")}
        hideLabel={t("password.hide")}
      />
      <MailedLink />
      <div className="flex flex-wrap justify-end gap-2">
        <Button tone="plain" onClick={() => onDone(false)}>
          {t("account.confirmPassword.cancel")}
        </Button>
        <Button type="submit" pending={confirm.pending} pendingText={t("account.confirmPassword.pending")}>
          {t("account.confirmPassword.submit")}
        </Button>
      </div>
    </form>
  );
}

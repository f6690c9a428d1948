import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm, type Resolver } from "react-hook-form";
import { changePassword } from "#contract/accounts/credential.ts";
import type { User } from "#contract/accounts/account.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { notify } from "../../lib/notices/notices.ts";
import { refreshUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { t } from "./words.ts";
import { StrengthHint } from "../sign-up/registration/strength-hint.tsx";
import { placeFieldErrors } from "./place-field-errors.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";
import { AccountOfPassword } from "../../lib/forms/account-of-password.tsx";

type Values = { currentPassword?: string; password: string };

/** If the account has a password, its field must be filled. */
const withCurrent = changePassword.body.required({ currentPassword: true });

/** Asks for the current password, if the account has one, and a new one. Neither is ever stored. */
export function ChangePasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  // As it was when the dialog opened: saving changes it before the dialog closes.
  const [isFirst] = useState(!user.hasPassword);
  const form = useForm<Values>({
    resolver: zodResolver(isFirst ? changePassword.body : withCurrent) as Resolver<Values>,
    mode: "onTouched",
    defaultValues: isFirst ? { password: "" } : { currentPassword: "", password: "" },
  });
  const save = useAction(async (body: Values) => {
    try {
      await callApi("changePassword", { body });
    } catch (error) {
      if (placeFieldErrors(error, ["currentPassword", "password"], form.setError)) return;
      throw error;
    }
    // Refreshes whether the account has a password; the change itself is done, whether or not this succeeds.
    if (isFirst) await refreshUser().catch(() => null);
    notify("success", t(isFirst ? "account.password.chosen" : "account.password.changed"));
    onClose();
  });
  const { errors } = form.formState;
  const field = (name: keyof Values) => ({
    ...form.register(name),
    error: errors[name]?.message ? fieldMessage(errors[name].message) : undefined,
    showLabel: t("password.show"),
    hideLabel: t("password.hide"),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(isFirst ? "account.password.chooseTitle" : "account.password.title")}
      description={t("account.password.lead")}
      closeLabel={t("account.close")}
    >
      <form noValidate onSubmit={(event) => void form.handleSubmit(save.run)(event)} className="mt-5 space-y-4">
        {save.error ? <ErrorNotice error={save.error} title={t("account.password.failed")} /> : null}
        <AccountOfPassword email={user.email} />
        {isFirst ? null : (
          <PasswordField {...field("currentPassword")} label={t("account.password.current")} autoComplete="current-password" />
        )}
        <PasswordField
          {...field("password")}
          label={t("account.password.password")}
          hint={<StrengthHint password={form.watch("password")} />}
          autoComplete="new-password"
        />
        <Button type="submit" pending={save.pending} pendingText={t("account.password.pending")} className="w-full">
          {t(isFirst ? "account.password.chooseSubmit" : "account.password.submit")}
        </Button>
      </form>
    </Dialog>
  );
}

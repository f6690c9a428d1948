/** For a mailed link opened in a browser that is not signed in to its account: the password proves that it is the owner. */
import { useForm } from "react-hook-form";
import { Link } from "react-router";
import { useLateRules } from "../../lib/forms/use-late-rules.ts";
import { paths } from "../../lib/paths.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { t } from "../sign-up/registration/words.ts";
import { placeFieldErrors } from "./place-field-errors.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";
import { AccountOfPassword } from "../../lib/forms/account-of-password.tsx";
import { knownUser } from "../../lib/session/session.ts";

interface PasswordProofProps {
  title: string;
  lead: string;
  /** Makes the call again, with the password. */
  send: (password: string) => Promise<void>;
  /** What to do for those who don't have this password. */
  otherwise: string;
}

export function PasswordProof({ title, lead, send, otherwise }: PasswordProofProps) {
  const form = useForm<{ password: string }>({
    resolver: useLateRules(async () => (await import("../../lib/forms/credential-rules.ts")).passwordProofRules),
    defaultValues: { password: "" },
  });
  const confirm = useAction(async ({ password }: { password: string }) => {
    try {
      await send(password);
    } catch (error) {
      if (!placeFieldErrors(error, ["password"], form.setError)) throw error;
    }
  });
  const problem = form.formState.errors.password?.message;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(confirm.run)(event)}>
      <AccountOfPassword email={knownUser()?.email} />
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p className="mt-2 text-ink-soft">{lead}</p>
      {confirm.error ? <ErrorNotice error={confirm.error} className="mt-5" /> : null}
      <div className="mt-6 space-y-5">
        <PasswordField
          {...form.register("password")}
          label={t("proof.password")}
          error={problem ? fieldMessage(problem) : undefined}
          autoComplete="current-password"
          showLabel={t("password.show")}
          hideLabel={t("password.hide")}
        />
        <Button type="submit" pending={confirm.pending} pendingText={t("proof.pending")} className="w-full">
          {t("proof.submit")}
        </Button>
      </div>
      <p className="mt-6 border-t border-line pt-4 text-sm text-ink-soft">
        {otherwise}{" "}
        <Link to={paths.forgotPassword} className="link font-medium">
          {t("proof.newPassword")}
        </Link>
      </p>
    </form>
  );
}

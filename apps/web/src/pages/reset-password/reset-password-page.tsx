import { useForm } from "react-hook-form";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { placeFieldErrors } from "../../features/credentials/place-field-errors.ts";
import { StrengthHint } from "../../features/sign-up/registration/strength-hint.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { useLateRules } from "../../lib/forms/use-late-rules.ts";
import { notify } from "../../lib/notices/notices.ts";
import { paths } from "../../lib/paths.ts";
import { endSession } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { t } from "../../features/credentials/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";
import { AccountOfPassword } from "../../lib/forms/account-of-password.tsx";

export const handle: PageHandle = { title: () => t("reset.page") };

export function Component() {
  const navigate = useNavigate();
  const [items] = useSearchParams();
  const token = items.get("token") ?? "";
  // The part of the link that no server is sent.
  const email = decodeHash(useLocation().hash);
  const form = useForm<{ password: string }>({
    resolver: useLateRules(async () => (await import("../../lib/forms/credential-rules.ts")).newPasswordRules),
    mode: "onTouched",
    defaultValues: { password: "" },
  });
  const save = useAction(async ({ password }: { password: string }) => {
    try {
      await callApi("resetPassword", { body: { token, password } });
    } catch (error) {
      if (placeFieldErrors(error, ["password"], form.setError)) return;
      throw error;
    }
    // The server ended every session, this browser's too.
    endSession("signed-out");
    notify("success", t("reset.done"));
    await navigate(paths.login, { replace: true });
  });
  if (token === "" || hasCode(save.error, "password_link_invalid")) return <Unusable error={save.error} />;
  const message = form.formState.errors.password?.message;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(save.run)(event)} className="p-6 sm:p-8">
      <AccountOfPassword email={email} />
      <h1 className="text-2xl font-semibold">{t("reset.title")}</h1>
      <p className="mt-2 text-ink-soft">{t("reset.lead")}</p>
      {save.error ? <ErrorNotice error={save.error} title={t("reset.failed")} className="mt-5" /> : null}
      <div className="mt-6 space-y-5">
        <PasswordField
          {...form.register("password")}
          label={t("reset.password")}
          error={message ? fieldMessage(message) : undefined}
          hint={<StrengthHint password={form.watch("password")} />}
          autoComplete="new-password"
          showLabel={t("password.show")}
          hideLabel={t("password.hide")}
        />
        <Button type="submit" pending={save.pending} pendingText={t("reset.pending")} className="w-full">
          {t("reset.submit")}
        </Button>
      </div>
    </form>
  );
}

/** Undefined if there is none, or if a program on the way has damaged it. */
function decodeHash(hash: string): string | undefined {
  try {
    return decodeURIComponent(hash.slice(1)) || undefined;
  } catch {
    return undefined;
  }
}

function Unusable({ error }: { error: unknown }) {
  return (
    <div className="p-6 sm:p-8">
      <h1 className="mb-5 text-2xl font-semibold">{t("reset.title")}</h1>
      {error ? (
        <ErrorNotice error={error} />
      ) : (
        <Notice tone="danger" title={t("reset.incomplete")}>
          {t("reset.incompleteNext")}
        </Notice>
      )}
      <div className="mt-6">
        <ButtonLink to={paths.forgotPassword}>{t("reset.askAgain")}</ButtonLink>
      </div>
    </div>
  );
}

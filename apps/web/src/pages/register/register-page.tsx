import { Fragment, useRef } from "react";
import { useController, type Control } from "react-hook-form";
import { useLoaderData, useNavigate, type LoaderFunctionArgs } from "react-router";
import type { Registration } from "#contract/accounts/account.ts";
import { ChallengeField } from "../../features/challenge/challenge-field.tsx";
import type { ChallengeControl } from "../../features/challenge/use-challenge.ts";
import { registrationTitle } from "../../features/sign-up/registration/registration-title.ts";
import { nextPath } from "../../features/sign-up/journey/journey.ts";
import { forgetTemplateId, keepTemplateId } from "../../features/sign-up/template-redirect.ts";
import { BesideLabel } from "../../features/sign-up/registration/beside-label.tsx";
import { StrengthHint } from "../../features/sign-up/registration/strength-hint.tsx";
import { AccountNameField } from "../../features/sign-up/registration/account-name-field.tsx";
import { useNameCheck } from "../../features/sign-up/registration/use-name-check.ts";
import { useRegistrationForm } from "../../features/sign-up/registration/use-registration-form.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { useFirstFocus } from "../../lib/forms/use-first-focus.ts";
import { knownUser } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { t } from "../../features/sign-up/registration/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";

export const handle: PageHandle = { title: () => t("register.page") };

/** Stored here instead of while rendering, because a forgotten template must not return with the next render. */
export const loader = ({ request }: LoaderFunctionArgs): string | null => keepTemplateId(new URL(request.url).search);

export function Component() {
  const navigate = useNavigate();
  const templateId = useLoaderData<string | null>();
  const { form, send, suggestName, takenName, challenge } = useRegistrationForm(templateId, async () => {
    // The account has it from now on.
    forgetTemplateId();
    await navigate(nextPath(knownUser()), { state: { mailWasSent: true } });
  });
  const area = useRef<HTMLFormElement>(null);
  useFirstFocus(area);
  const { workspaceHost } = useFrontEndConfig();
  const [accountName, typedEmail, password] = form.watch(["accountName", "email", "password"]);
  const nameCheck = useNameCheck(accountName, takenName);
  const { errors, isSubmitting, touchedFields } = form.formState;

  const takeName = (name: string) => {
    form.setValue("accountName", name, { shouldDirty: true, shouldValidate: true });
    form.setFocus("accountName");
  };
  const errorOf = (name: keyof Registration) => (errors[name]?.message ? fieldMessage(errors[name].message) : undefined);
  const fullName = form.register("fullName", { onChange: (event: { target: { value: string } }) => suggestName(event.target.value) });
  const email = form.register("email", { deps: form.getFieldState("emailConfirmation").isTouched ? ["emailConfirmation"] : [] });

  return (
    <form ref={area} onSubmit={(event) => void form.handleSubmit(send.run)(event)} noValidate className="p-6 sm:px-8 sm:py-7">
      <h1 className="text-2xl font-semibold">{t("register.title")}</h1>
      <p className="mt-1 text-sm text-ink-soft">{t("register.lead")}</p>
      {send.error ? <ErrorNotice error={send.error} {...registrationTitle(send.error)} className="mt-5" /> : null}
      <div className="mt-5 space-y-3.5">
        <TextField {...fullName} label={t("register.fullName")} error={errorOf("fullName")} autoComplete="name" />
        <AccountNameField
          {...form.register("accountName")}
          accountName={accountName}
          workspaceHost={workspaceHost}
          nameCheck={nameCheck}
          onTake={takeName}
          error={errorOf("accountName") ?? (nameCheck.is === "taken" ? fieldMessage("account_name.taken") : undefined)}
        />
        <TextField {...email} label={t("register.email")} error={errorOf("email")} type="email" autoComplete="email" spellCheck={false} />
        <TextField
          {...form.register("emailConfirmation")}
          label={t("register.emailConfirmation")}
          error={errorOf("emailConfirmation")}
          type="email"
          autoComplete="email"
          spellCheck={false}
          // A small screen has no room for it before there is something to confirm. Autofill and the keyboard's "next" reach it.
          className={
            typedEmail === "" && !errors.emailConfirmation && !touchedFields.emailConfirmation
              ? "max-sm:not-focus-within:sr-only"
              : undefined
          }
        />
        <BesideLabel words={password === "" ? null : <StrengthHint password={password} />}>
          <PasswordField
            {...form.register("password")}
            label={t("register.password")}
            error={errorOf("password")}
            placeholder={t("register.passwordLength")}
            autoComplete="new-password"
            showLabel={t("password.show")}
            hideLabel={t("password.hide")}
          />
        </BesideLabel>
        <Challenge challenge={challenge} control={form.control} error={errorOf("challenge")} />
        <Terms />
        <Button type="submit" pending={isSubmitting} pendingText={t("register.pending")} className="w-full">
          {t("register.submit")}
        </Button>
      </div>
    </form>
  );
}

/** The terms that registering accepts; the service stores version and time. Without such pages of the operator, nothing is shown. */
function Terms() {
  const { terms, privacy } = useFrontEndConfig().links;
  const pages = [
    { label: t("register.termsLink"), href: terms },
    { label: t("register.privacyLink"), href: privacy },
  ].filter(({ href }) => href !== "");
  if (pages.length === 0) return null;
  return (
    <p className="text-[0.8125rem] text-ink-soft">
      {t("register.agree")}{" "}
      {pages.map(({ label, href }, index) => (
        <Fragment key={href}>
          {index > 0 ? ` ${t("register.and")} ` : null}
          <a href={href} target="_blank" rel="noreferrer" className="link">
            {label}
          </a>
        </Fragment>
      ))}
      .
    </p>
  );
}

/** A separate component, so that it is the form's last field even when the first invalid one gets the focus. */
function Challenge({
  challenge,
  control,
  error,
}: {
  challenge: ChallengeControl;
  control: Control<Registration>;
  error: string | undefined;
}) {
  const { ref, onBlur } = useController({ control, name: "challenge" }).field;
  return <ChallengeField challenge={challenge} error={error} onBlur={onBlur} ref={ref} />;
}

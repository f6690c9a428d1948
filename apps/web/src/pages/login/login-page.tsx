/**
 * Sign-in: the page whose weight every visitor pays. So it does without the form library and the contract's schemas; it
 * asks for both fields itself, and every other rule is the server's answer, shown at the field.
 */
import { useRef, useState, type FormEvent } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { fieldMessage, type FieldCode } from "#contract/field-words.ts";
import { callApi } from "../../lib/api-client.ts";
import { ApiError } from "../../lib/api-error.ts";
import { paths } from "../../lib/paths.ts";
import { destinationAfterLogin } from "../../lib/return-path.ts";
import { rememberUser } from "../../lib/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { t } from "../../words/words.ts";

type Values = { login: string; password: string };
type FieldCodes = { [Field in keyof Values]?: string };

export function Component() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Values>({ login: "", password: "" });
  const [problems, setProblems] = useState<FieldCodes>({});

  const showProblems = (found: FieldCodes) => {
    setProblems(found);
    const first = found.login ? "login" : "password";
    form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };
  const logIn = useAction(async () => {
    const missing = missingFields(values);
    if (Object.keys(missing).length > 0) return showProblems(missing);
    try {
      rememberUser((await callApi("logIn", { body: values })).user);
    } catch (error) {
      if (error instanceof ApiError && error.fields.length > 0) return showProblems(Object.fromEntries(error.fields.map(({ path, code }) => [path, code])));
      throw error;
    }
    await navigate(destinationAfterLogin(search), { replace: true });
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void logIn.run();
  };
  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    error: problems[name] && fieldMessage(problems[name]),
    onChange: (event: { target: { value: string } }) => {
      setValues({ ...values, [name]: event.target.value });
      setProblems({ ...problems, [name]: undefined });
    },
  });

  return (
    <form ref={form} onSubmit={submit} noValidate className="p-6 sm:p-8">
      <h1 className="text-2xl font-semibold">{t("login.title")}</h1>
      {logIn.error ? <ErrorNotice error={logIn.error} className="mt-5" /> : null}
      <div className="mt-6 space-y-5">
        <TextField {...field("login")} label={t("login.login")} autoComplete="username" autoCapitalize="none" spellCheck={false} />
        <PasswordField
          {...field("password")}
          label={t("login.password")}
          autoComplete="current-password"
          showLabel={t("password.show")}
          hideLabel={t("password.hide")}
        />
        <Button type="submit" pending={logIn.pending} pendingText={t("login.pending")} className="w-full">
          {t("login.submit")}
        </Button>
      </div>
      <p className="mt-6 text-sm text-ink-soft">
        {t("login.noAccount")}{" "}
        <Link to={`${paths.register}${search}`} className="link font-medium">
          {t("login.register")}
        </Link>
      </p>
    </form>
  );
}

function missingFields(values: Values): FieldCodes {
  const loginRequired: FieldCode = "login.required";
  const passwordRequired: FieldCode = "password.required";
  return {
    ...(values.login.trim() === "" ? { login: loginRequired } : {}),
    ...(values.password === "" ? { password: passwordRequired } : {}),
  };
}

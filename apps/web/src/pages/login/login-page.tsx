/**
 * Sign-in: the page that every visitor loads. So it uses neither the form library nor the contract's schemas; it only checks that both
 * fields are filled, and every other rule is the server's answer, shown at the field.
 */
import { Mail } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { Link, replace, useLocation, useNavigate, type LoaderFunctionArgs } from "react-router";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { signInErrorWords } from "../../lib/errors/sign-in-errors.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useFirstFocus } from "../../lib/forms/use-first-focus.ts";
import { loadPage } from "../../lib/faults/load-page.ts";
import { paths } from "../../lib/paths.ts";
import { cachedUsername } from "../../lib/session/cached-username.ts";
import { destinationAfterLogin } from "../../lib/session/return-path.ts";
import { rememberUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button, buttonClass, ButtonLink } from "../../ui/button.tsx";
import { RefusalNotice } from "../../ui/notices/refusal-notice.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { fieldText, t } from "./words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("login.page") };

type Values = { login: string; password: string };
type FieldMessages = { [Field in keyof Values]?: string };

/** With `code` in the address, asks before signing in; either way the code is removed from the address and the history. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response | null> {
  const { search } = new URL(request.url);
  const items = new URLSearchParams(search);
  const code = items.get("code");
  if (code === null) return null;
  items.delete("code");
  try {
    if (code !== "") {
      // Fetched only if there is a code, because everyone loads this page.
      const { meetCode } = await loadPage(() => import("../../features/credentials/meet-code.ts"));
      return replace(await meetCode(code, search));
    }
  } catch (error) {
    console.warn("The code in the address could not be used.", error);
    notify("danger", t("code.failed"));
  }
  return replace(items.size > 0 ? `${paths.login}?${items}` : paths.login);
}

export function Component() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form, "first-empty");
  const [values, setValues] = useState<Values>(() => ({ login: cachedUsername(), password: "" }));
  const [problems, setProblems] = useState<FieldMessages>({});

  const showProblems = (found: FieldMessages) => {
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
      if (error instanceof ApiError && error.fields.length > 0)
        return showProblems(Object.fromEntries(error.fields.map(({ path, code }) => [path, wordsOfField(code)])));
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
    error: problems[name],
    onChange: (event: { target: { value: string } }) => {
      setValues({ ...values, [name]: event.target.value });
      setProblems({ ...problems, [name]: undefined });
    },
  });

  // An address that was typed here need not be typed there.
  const typed = { email: values.login.trim() };
  return (
    <form ref={form} onSubmit={submit} noValidate className="p-6 sm:p-8">
      <h1 className="text-2xl font-semibold">{t("login.title")}</h1>
      {logIn.error ? <LoginError error={logIn.error} /> : null}
      <div className="mt-6 space-y-5">
        <TextField {...field("login")} label={t("login.login")} autoComplete="username" autoCapitalize="none" spellCheck={false} />
        <PasswordField
          {...field("password")}
          label={t("login.password")}
          autoComplete="current-password"
          showLabel={t("password.show")}
          hideLabel={t("password.hide")}
        />
        <p className="-mt-2 text-right text-sm">
          <Link to={`${paths.forgotPassword}${search}`} state={typed} className="link">
            {t("login.forgot")}
          </Link>
        </p>
        <Button type="submit" pending={logIn.pending} pendingText={t("login.pending")} className="w-full">
          {t("login.submit")}
        </Button>
      </div>
      <p className="between my-4">{t("login.or")}</p>
      <Link to={`${paths.magicLink}${search}`} state={typed} className={buttonClass("plain", "w-full")}>
        <Mail className="size-4" aria-hidden="true" />
        {t("login.magicLink")}
      </Link>
      <p className="mt-6 border-t border-line pt-5 text-center text-sm text-ink-soft">
        {t("login.noAccount")}{" "}
        <Link to={`${paths.register}${search}`} className="link font-medium">
          {t("login.register")}
        </Link>
      </p>
    </form>
  );
}

/** A problem on our side, not the visitor's mistake. */
const technical = new Set(["unreachable", "unavailable", "internal_error", "too_many_requests"]);

function LoginError({ error }: { error: unknown }) {
  const shown = { error, words: signInErrorWords(error), className: "mt-5" };
  if (!(error instanceof ApiError) || error.code === "unreadable") return <RefusalNotice {...shown} title={t("login.strange")} />;
  if (technical.has(error.code)) return <RefusalNotice {...shown} title={t("login.technical")} />;
  if (error.code !== "publisher_account") return <RefusalNotice {...shown} />;
  return <RefusalNotice {...shown} action={<ButtonLink to={paths.register}>{t("login.publisherAction")}</ButtonLink>} />;
}

const wordsOfField = (code: string): string => {
  const words: Partial<Record<string, string>> = fieldText();
  return words[code] ?? fieldText()["value.invalid"];
};

function missingFields(values: Values): FieldMessages {
  return {
    ...(values.login.trim() === "" ? { login: fieldText()["login.required"] } : {}),
    ...(values.password === "" ? { password: fieldText()["password.required"] } : {}),
  };
}

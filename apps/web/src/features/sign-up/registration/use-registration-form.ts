/** The registration form: the contract's rules, shown after the first blur, and the server's refusals at their fields. */
import { useEffect, useState } from "react";
import { useForm, type UseFormSetError } from "react-hook-form";
import type { Registration } from "#contract/accounts/account.ts";
import type { FieldCode } from "#contract/api/field-words.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { useLateRules } from "../../../lib/forms/use-late-rules.ts";
import { rememberUser } from "../../../lib/session/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { useChallenge } from "../../challenge/use-challenge.ts";
import { suggestAccountName } from "./suggest-account-name.ts";

const fields = ["fullName", "accountName", "email", "emailConfirmation", "password", "challenge"] as const;
type Field = (typeof fields)[number];

const takenAt: Partial<Record<string, [Field, FieldCode]>> = {
  account_name_taken: ["accountName", "account_name.taken"],
  email_taken: ["email", "email.taken"],
};

/** Registers and then calls `onRegistered`; a refusal that belongs to a field is shown there and nothing typed is lost. */
export function useRegistrationForm(templateId: string | null, onRegistered: () => Promise<void>) {
  const form = useForm<Registration>({
    resolver: useLateRules(async () => (await import("./registration-rules.ts")).registrationRules),
    mode: "onTouched",
    defaultValues: {
      fullName: "",
      accountName: "",
      email: "",
      emailConfirmation: "",
      password: "",
      challenge: "",
      ...(templateId ? { templateId } : {}),
    },
  });
  /** The name that someone else took before this registration. */
  const [takenName, setTakenName] = useState("");
  const challenge = useChallenge();
  const { isChecked } = challenge;
  const { setValue } = form;
  // The rule checks the box; the answer behind it is sent.
  useEffect(() => setValue("challenge", isChecked ? "checked" : "", { shouldValidate: isChecked }), [isChecked, setValue]);

  const send = useAction(async (values: Registration) => {
    const answer = await challenge.answer().catch(() => null);
    // The challenge has its own message and offers another attempt.
    if (answer === null) return;
    try {
      rememberUser((await callApi("register", { body: { ...values, challenge: answer } })).user);
    } catch (error) {
      challenge.renew({ uncheck: error instanceof ApiError && error.fields.some(({ path }) => path === "challenge") });
      if (error instanceof ApiError && error.code === "account_name_taken") setTakenName(values.accountName);
      if (placeOnFields(error, form.setError)) return;
      throw error;
    }
    await onRegistered();
  });
  /** Follows the full name until the user edits the account name. */
  const suggestName = (fullName: string) => {
    if (form.getFieldState("accountName").isDirty) return;
    form.resetField("accountName", { defaultValue: suggestAccountName(fullName) });
  };
  return { form, send, suggestName, takenName, challenge };
}

/** Shows each refused field's problem at that field, with the first one focused; false if none of them is on this form. */
function placeOnFields(error: unknown, setError: UseFormSetError<Registration>): boolean {
  if (!(error instanceof ApiError)) return false;
  const taken = takenAt[error.code];
  const found: [string, string][] = taken ? [taken] : error.fields.map(({ path, code }) => [path, code]);
  const known = fields.flatMap((field) => found.filter(([path]) => path === field).map(([, code]) => ({ field, code })));
  known.forEach(({ field, code }, index) => setError(field, { type: "server", message: code }, { shouldFocus: index === 0 }));
  return known.length > 0 && known.length === found.length;
}

import { expect, test } from "vitest";
import { badRegistrations, goodRegistrations } from "#testing/accounts/registration-rules.ts";
import { registration } from "./account.ts";
import { fieldMessage } from "../api/field-words.ts";

const email = "ada@example.com";
const good = {
  fullName: "Ada Lovelace",
  accountName: "acme",
  email,
  emailConfirmation: email,
  password: "correct horse battery",
  challenge: "solved",
};

test.each(badRegistrations)("the contract refuses $field $value: $message", ({ field, value, code, message }) => {
  const { error } = registration.safeParse({ ...good, [field]: value });
  expect(error?.issues.find((issue) => issue.path[0] === field)?.message).toBe(code);
  expect(fieldMessage(code)).toBe(message);
});

test.each(goodRegistrations)("the contract accepts %s %s", (field, value) => {
  expect(registration.safeParse({ ...good, [field]: value }).error).toBeUndefined();
});

test("an email address and its confirmation are trimmed and lowercased", () => {
  const parsed = registration.parse({ ...good, email: " Ada@Example.com ", emailConfirmation: "ADA@example.COM" });
  expect(parsed).toMatchObject({ email, emailConfirmation: email });
});

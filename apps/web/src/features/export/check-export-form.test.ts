import { expect, test } from "vitest";
import { passphrase } from "#contract/api/fields.ts";
import { checkExportForm, emptyExportForm } from "./check-export-form.ts";

const good = { withCredentials: true, passphrase: "twelve chars", passphraseAgain: "twelve chars", password: "mine" };

test("without credentials no field is required", () => {
  expect(checkExportForm(emptyExportForm)).toEqual({});
});

test("all invalid fields show their problem together", () => {
  expect(checkExportForm({ ...emptyExportForm, withCredentials: true, passphraseAgain: "x" })).toEqual({
    passphrase: "passphrase.required",
    passphraseAgain: "passphrase.mismatch",
    password: "password.required",
  });
  expect(checkExportForm(good)).toEqual({});
});

test.each(["", "a", "eleven char", "twelve chars", "x".repeat(200), "x".repeat(201)])("the form and the contract agree on %j", (text) => {
  const issues = passphrase.safeParse(text).error?.issues.map(({ message }) => message) ?? [];
  expect(checkExportForm({ ...good, passphrase: text, passphraseAgain: text }).passphrase).toBe(issues[0]);
});

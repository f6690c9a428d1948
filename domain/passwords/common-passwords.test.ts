import { expect, test } from "vitest";
import { commonPasswords, isCommonPassword } from "./common-passwords.ts";

test("the list has more than the 3,000 passwords required by ASVS 6.2.4, all of allowed length and in lower case", async () => {
  const known = [...(await commonPasswords())];
  expect(known.length).toBeGreaterThan(3_000);
  expect(known.filter((password) => password.length < 8 || password.length > 64 || password !== password.toLowerCase())).toEqual([]);
});

test.each(["password", "Password", "PASSWORD", "password123", "12345678", "1q2w3e4r", "TrustNo1", "p@ssw0rd", "Admin123", "qwertyuiop"])(
  "%s is one of the most common",
  async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  },
);

test.each(["correct horse battery", "password correct horse", "Tr0ub4dor&3x", "90817263", "pässwörd", "__proto__", "constructor"])(
  "%s is not",
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  },
);

test("a hundred concurrent calls read the file once", async () => {
  const lists = await Promise.all(Array.from({ length: 100 }, commonPasswords));
  expect(new Set(lists).size).toBe(1);
});

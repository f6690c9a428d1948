import { expect, test } from "vitest";
import { z } from "zod";
import { inviteEmail } from "#contract/accounts/invitation.ts";
import { addressPattern, isAddress } from "./check-addresses.ts";

const long = (length: number) => `${"a".repeat(length - "@b.example".length)}@b.example`;

test.for([
  "ada@example.com",
  " Ada@Example.com ",
  "a.b+c@sub.example.co",
  long(254),
  long(255),
  "",
  "ada",
  "ada@",
  "@example.com",
  "ada@example",
  "ada..b@example.com",
  ".ada@example.com",
  "ada@exam ple.com",
  "ädä@example.com",
  "ada@-example.com",
])("the form takes an address for one exactly where the contract does: %j", (text) => {
  expect(isAddress(text)).toBe(inviteEmail.safeParse(text).success);
});

test("the pattern is one of zod's, by which the contract checks", () => {
  expect(addressPattern).toEqual(z.regexes.email);
});

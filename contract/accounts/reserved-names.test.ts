import { expect, test } from "vitest";
import { isReservedAccountName } from "./reserved-names.ts";

test.each(["www", "signin", "sso", "oauth", "secure", "verify", "autoconfig", "wpad", "mta-sts", "support", "xn--slpway-n2a", "ab--cd"])(
  "%s is nobody's account name",
  (name) => expect(isReservedAccountName(name)).toBe(true),
);

test.each(["acme", "ada-lovelace", "verify-co", "a--b", "abc--d", "login2u", "it-works"])("%s may be one", (name) =>
  expect(isReservedAccountName(name)).toBe(false),
);

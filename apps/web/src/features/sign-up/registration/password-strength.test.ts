import { expect, test } from "vitest";
import { passwordStrength } from "./password-strength.ts";

test.each([
  ["", "weak"],
  ["short", "weak"],
  ["aaaaaaaaaaaaaaaaaaaa", "weak"],
  ["password", "weak"],
  ["correcthorse", "fair"],
  ["Correct horse 9", "good"],
  ["correct horse battery staple", "good"],
  ["Correct horse battery 9", "strong"],
])("%j is %s", (password, strength) => expect(passwordStrength(password)).toBe(strength));

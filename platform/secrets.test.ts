import { expect, test } from "vitest";
import { createSecrets } from "./secrets.ts";

const old = createSecrets("the old key, which is long enough");
const young = createSecrets("the new key, which is long enough");
const both = createSecrets("the new key, which is long enough", "the old key, which is long enough");

test("while a key is replaced, both decrypt, and the new one encrypts", () => {
  expect(both.decrypt(old.encrypt("a", "x"), "x")).toBe("a");
  expect(both.decrypt(young.encrypt("b", "x"), "x")).toBe("b");
  expect(young.decrypt(both.encrypt("c", "x"), "x")).toBe("c");
  expect(() => old.decrypt(both.encrypt("c", "x"), "x")).toThrow();
  expect([both.keyId, both.previous?.keyId]).toEqual([young.keyId, old.keyId]);
});

test("text of another purpose, of another key, changed, truncated or empty is not decrypted", () => {
  const encrypted = both.encrypt("a secret", "x");
  expect(() => both.decrypt(encrypted, "y")).toThrow();
  expect(() => both.decrypt(createSecrets("a third key, which is long enough").encrypt("a", "x"), "x")).toThrow();
  const middle = Math.floor(encrypted.length / 2);
  for (const wrong of [
    `${encrypted.slice(0, middle)}${encrypted[middle] === "A" ? "B" : "A"}${encrypted.slice(middle + 1)}`,
    encrypted.slice(0, -8),
    "v1.AAAA",
    "v1.",
    "v2.AAAA",
    "",
  ])
    expect(() => both.decrypt(wrong, "x")).toThrow();
});

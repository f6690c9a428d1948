import { expect, test } from "vitest";
import { newestText } from "./newest-text.ts";

test("a cut never splits a character", () => {
  const bytes = Buffer.from("aü€😀z");
  for (let max = 0; max <= bytes.length + 1; max += 1) {
    const text = newestText(bytes, max);
    expect("aü€😀z".endsWith(text)).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max);
  }
  expect(newestText(bytes, 5)).toBe("😀z");
});

test("a character still being written is left out", () => {
  expect(newestText(Buffer.from("ok€").subarray(0, 4), 100)).toBe("ok");
});

test("bytes that are not text stay within the limit after they are replaced", () => {
  expect(Buffer.byteLength(newestText(Buffer.alloc(1_000, 0xff), 100))).toBeLessThanOrEqual(100);
});

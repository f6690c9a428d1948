import { expect, test } from "vitest";
import { sizeText } from "./size-text.ts";

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1_000, "1 KB"],
  [1_540, "1.5 KB"],
  [99_600, "100 KB"],
  [108_624, "109 KB"],
  [999_499, "999 KB"],
  [999_900, "1 MB"],
  [20_000_000_000, "20 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

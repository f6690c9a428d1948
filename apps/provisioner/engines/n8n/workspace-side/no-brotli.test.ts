import { expect, test } from "vitest";
import { withoutBrotli } from "./no-brotli.mts";

test.each([
  ["br", ""],
  ["gzip, deflate, br, zstd", "gzip, deflate, zstd"],
  ["br;q=1.0, gzip;q=0.8, *;q=0.1", " gzip;q=0.8"],
  ["BR , gzip", " gzip"],
  ["gzip", "gzip"],
  ["", ""],
])("of “%s”, “%s” is left", (accepted, left) => {
  expect(withoutBrotli(accepted)).toBe(left);
});

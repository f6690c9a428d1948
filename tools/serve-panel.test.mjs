import { expect, test } from "vitest";
import { isForProgram } from "./serve-panel.mjs";

test.each([
  ["localhost:3000", "/login", false],
  ["localhost:3000", "/src/main.tsx", false],
  ["localhost:3000", "/apis", false],
  ["localhost:3000", "/api/me?now", true],
  ["localhost:3000", "/sandbox/checkout/1", true],
  ["localhost:3000", "/readyz", true],
  ["acme.localhost:3000", "/login", true],
  ["elsewhere.example", "/", true],
])("in development, the program answers %s%s: %s", (host, url, expected) => {
  expect(isForProgram({ url, headers: { host } }, "localhost:3000")).toBe(expected);
});

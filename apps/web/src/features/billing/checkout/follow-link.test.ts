import { expect, test } from "vitest";
import { followableUrl } from "./follow-link.ts";

const base = "http://localhost:3000/account/change-plan";

test.each([
  ["https://pay.example.com/c/1?x=2", "https://pay.example.com/c/1?x=2"],
  ["http://localhost:3000/sandbox/checkout/1", "http://localhost:3000/sandbox/checkout/1"],
  ["/sandbox/checkout/1", "http://localhost:3000/sandbox/checkout/1"],
])("%s is followed", (url, target) => expect(followableUrl(url, base)).toBe(target));

test.each([
  "javascript:alert(1)",
  " javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<b>",
  "blob:http://localhost/1",
  "file:///etc/passwd",
  "mailto:a@b.c",
  "http://[",
])("%s is not", (url) => expect(followableUrl(url, base)).toBeNull());

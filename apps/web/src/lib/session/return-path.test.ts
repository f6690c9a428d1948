import { describe, expect, test } from "vitest";
import { destinationAfterLogin, isSafeReturnPath } from "./return-path.ts";

const safe = [
  "/",
  "/dashboard",
  "/account/setup",
  "/help?topic=trial",
  "/dashboard?a=1&b=2",
  "/help#trial",
  "/a/b/c",
  "/@someone",
  "/%2f%2fevil",
  "/javascript:alert(1)",
];

const unsafe = [
  "",
  "dashboard",
  "https://evil.example",
  "//evil",
  "//evil/dashboard",
  "///evil",
  "/dashboard//evil",
  "/\\evil",
  "/\\/evil",
  "\\\\evil",
  "/a\\b",
  "/\t/evil",
  "/\n/evil",
  "/\r\n/evil",
  "\t//evil",
  " /dashboard",
  "/evil.example",
  "/../dashboard",
  "/./dashboard",
  "/dashboard?next=evil.example",
  "/help#a.b",
  "javascript:alert(1)",
  "data:text/html,x",
  "?returnPath=/x",
  "#/dashboard",
  "/a\u0000b",
  "http:evil",
  "http:/evil",
  "HTTPS://EVIL",
  "https:\\evil",
  "ftp://evil",
  "vbscript:x",
  "blob:https://evil",
  "/\\/\\evil",
  "/\\\\evil",
  "\\/evil",
  "\\evil",
  "/\t\t//evil",
  "/\n\\evil",
  "/\u000b/evil",
  "/\u007f/evil",
  "\u0000//evil",
  "\n//evil",
  "//evil%2eexample",
  "//%65vil",
  "//user@evil",
  "//127.0.0.1",
  "//[::1]/",
  "//localhost:3000/dashboard",
  "/a//b",
  "/a/..",
  "/.evil",
  "/dashboard?returnPath=//evil",
  "/login?code=1.2.3",
  "/#//evil",
  "%2f%2fevil",
  "/ //evil",
  "@evil",
  ":evil",
  "null",
  "//",
  "/" + "/".repeat(50) + "evil",
];

test("the list of tricky paths has at least 50", () => expect(new Set(unsafe).size).toBeGreaterThanOrEqual(50));

describe("a return path", () => {
  test.each(safe)("%j is followed", (path) => {
    expect(isSafeReturnPath(path)).toBe(true);
    expect(new URL(path, "https://panel.test").origin).toBe("https://panel.test");
  });
  test.each(unsafe)("%j is refused", (path) => expect(isSafeReturnPath(path)).toBe(false));
});

describe("the destination after signing in", () => {
  test.each([
    ["", "/dashboard"],
    ["?returnPath=/help", "/help"],
    ["?returnPath=%2Faccount%2Fsetup", "/account/setup"],
    ["?returnPath=//evil", "/dashboard"],
    ["?returnPath=https://evil.example", "/dashboard"],
    ["?returnPath=%2F%2Fevil", "/dashboard"],
    ["?returnPath=%2F%09%2Fevil", "/dashboard"],
    ["?returnPath=/help&returnPath=//evil", "/help"],
    ["?code=abc&returnPath=/help", "/help"],
    ["?code=abc", "/dashboard"],
    ["?templateId=12&code=abc", "/dashboard?templateId=12"],
    ["?returnPath=/help?a=1&templateId=12", "/help?a=1&templateId=12"],
    ["?returnPath=%2Fhelp%23trial&templateId=12", "/help?templateId=12#trial"],
  ])("of %j is %j", (search, destination) => expect(destinationAfterLogin(search)).toBe(destination));

  test("never leaves the panel, whatever the path", () => {
    for (const path of [...safe, ...unsafe]) {
      const destination = destinationAfterLogin(`?${new URLSearchParams({ returnPath: path })}`);
      expect(new URL(destination, "https://panel.test").origin).toBe("https://panel.test");
    }
  });
});

import { expect, test } from "vitest";
import { resolveHost } from "./resolve-host.ts";

const workspace = (accountName: string) => ({ kind: "workspace", accountName });

test.each([
  ["localhost:3000", { kind: "panel" }],
  ["localhost", { kind: "panel" }],
  ["LOCALHOST:3000", { kind: "panel" }],
  ["localhost.:3000", { kind: "panel" }],
  ["localhost:8080", { kind: "panel" }],
  ["acme.localhost:3000", workspace("acme")],
  ["ACME.LocalHost", workspace("acme")],
  ["acme.localhost.", workspace("acme")],
  ["my-shop-2.localhost:3000", workspace("my-shop-2")],
  ["1acme.localhost", workspace("1acme")],
  ["a_b.localhost", workspace("a_b")],
])("%s on a panel at localhost:3000 is %o", (host, expected) => {
  expect(resolveHost(host, "localhost:3000")).toEqual(expected);
});

test.each([
  [undefined],
  [""],
  ["."],
  [".localhost"],
  ["..localhost"],
  ["acme..localhost"],
  ["acme.localhost.."],
  ["a.b.localhost"],
  ["acmelocalhost"],
  ["xlocalhost"],
  ["localhost.evil.com"],
  ["acme.localhost.evil.com"],
  ["evil.com"],
  ["acme.localhost:"],
  ["acme.localhost:0"],
  ["acme.localhost:65536"],
  ["acme.localhost:80x"],
  ["acme.localhost:80:80"],
  ["acme.localhost:-1"],
  ["user@acme.localhost"],
  ["acme.localhost/x"],
  ["acme.localhost#"],
  ["acme.localhost?"],
  ["acme.localhost\\x"],
  [" acme.localhost"],
  ["acme.localhost "],
  ["acme%2elocalhost"],
  ["äcme.localhost"],
  ["-acme.localhost"],
  ["acme-.localhost"],
  ["[::1]"],
  ["[::1]:3000"],
  ["127.0.0.1"],
  ["127.0.0.1:3000"],
  [`${"a".repeat(64)}.localhost`],
  [`${"a.".repeat(200)}localhost`],
])("%s is unknown on a panel at localhost:3000", (host) => {
  expect(resolveHost(host, "localhost:3000")).toEqual({ kind: "unknown" });
});

test("with a panel host of several labels, workspaces are one label below it", () => {
  expect(resolveHost("acme.app.example.com", "app.example.com")).toEqual(workspace("acme"));
  expect(resolveHost("app.example.com", "app.example.com")).toEqual({ kind: "panel" });
  expect(resolveHost("example.com", "app.example.com")).toEqual({ kind: "unknown" });
  expect(resolveHost("other.example.com", "app.example.com")).toEqual({ kind: "unknown" });
});

test("a panel on an IP address has no workspaces", () => {
  expect(resolveHost("127.0.0.1:3000", "127.0.0.1:3000")).toEqual({ kind: "panel" });
  expect(resolveHost("[::1]:3000", "[::1]:3000")).toEqual({ kind: "panel" });
  expect(resolveHost("acme.127.0.0.1", "127.0.0.1:3000")).toEqual({ kind: "unknown" });
});

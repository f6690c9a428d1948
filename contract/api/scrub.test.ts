import { expect, test } from "vitest";
import { scrub, scrubText } from "./scrub.ts";

test.each([
  ["could not reach ada@example.com", "could not reach [email]"],
  ["GET /confirm-email?token=abc&x=1 failed", "GET /confirm-email?token=[removed]&x=[removed] failed"],
  ["authorization: Bearer abc.def", "authorization: Bearer [removed]"],
  ["postgres://slipway:hunter2@db:5432/x", "postgres://[removed]@db:5432/x"],
  ["$argon2id$v=19$m=19456$abc was kept", "[removed] was kept"],
  ["code Zk3v9Q2mT7xW1pL8sD4fG6hJ0kN5bV2cX9zA3qE7rTy", "code [removed]"],
  ["workspace 01a1fdc3-bda7-72e0-8f91-1fbaa4830c76 failed", "workspace 01a1fdc3-bda7-72e0-8f91-1fbaa4830c76 failed"],
  ["apps/provisioner/reconcile/reconcile-workspace.ts:12:7", "apps/provisioner/reconcile/reconcile-workspace.ts:12:7"],
])("%s", (text, scrubbed) => {
  expect(scrubText(text)).toBe(scrubbed);
});

test("secrets are removed by name at any depth; the rest stays", () => {
  expect(scrub({ user: { id: 7, newPassword: "x" }, list: [{ apiKey: "y" }], Cookie: "token=z", path: "/a" })).toEqual({
    user: { id: 7, newPassword: "[removed]" },
    list: [{ apiKey: "[removed]" }],
    Cookie: "[removed]",
    path: "/a",
  });
});

test("a circular value ends", () => {
  const round: Record<string, unknown> = { name: "round" };
  round["self"] = round;
  expect(JSON.stringify(scrub(round))).toContain("[removed]");
});

import { expect, test } from "vitest";
import { usageMail, type UsageMail } from "./usage-mail.ts";

const mail: UsageMail = {
  to: "owner@example.com",
  fullName: "Ada Lovelace",
  language: null,
  timezone: "Etc/UTC",
  accountName: "acme",
  planName: "Trial",
  used: 1000,
  limit: 1000,
  resetsAt: null,
  link: "http://localhost:3000/account/change-plan",
};

test.each(["nearly", "reached"] as const)("a plan whose executions never come back is promised none (%s)", async (kind) => {
  expect((await usageMail(kind, mail)).text).not.toMatch(/renew/);
});

test("the mail says when the plan's executions come back", async () => {
  const { text } = await usageMail("reached", { ...mail, resetsAt: new Date("2026-12-01T00:00:00Z") });
  expect(text).toContain("Your executions reset on 1 December 2026.");
});

/** Undoing a cancellation from its message. */
import { expect, test, vi } from "vitest";
import { keepSubscription } from "./keep-subscription.ts";

const answered = (billing: object, url: string | null) =>
  vi.stubGlobal("fetch", async () => Response.json({ user: { id: "1", account: { billing } }, url }));

test("a cancellation is undone if the subscription continues", async () => {
  answered({ status: "active", cancelAt: null }, null);
  await expect(keepSubscription()).resolves.toBeUndefined();
});

test.each([
  ["has ended, and would have to be bought again", { status: "deleted", cancelAt: null }, "https://pay.example/1"],
  ["still ends", { status: "past_due", cancelAt: "2027-02-10T09:00:00.000Z" }, null],
])("it is not called undone where the subscription %s", async (_when, billing, url) => {
  answered(billing, url);
  await expect(keepSubscription()).rejects.toMatchObject({ code: "subscription_required" });
});

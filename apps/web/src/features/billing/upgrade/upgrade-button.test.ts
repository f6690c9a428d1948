import { describe, expect, test } from "vitest";
import type { UpgradeFacts } from "./upgrade-button.ts";
import { upgradeButton } from "./upgrade-button.ts";

const groups: readonly UpgradeFacts["planGroup"][] = [null, "trial", "opt-in", "opt-out", "legacy", "enterprise"];
const statuses: readonly UpgradeFacts["billingStatus"][] = [null, "active", "trialing", "deleted", "past_due", "paused"];
const paid = groups.filter((group) => group !== "trial");

describe("what the upgrade button says", () => {
  test.each(statuses)("in an opt-in trial with billing %s: upgradePlan, with and without a workspace", (billingStatus) => {
    for (const hasActiveWorkspace of [true, false])
      expect(upgradeButton({ planGroup: "trial", billingStatus, hasActiveWorkspace }).text).toBe("upgradePlan");
  });
  test.each(statuses.filter((status) => status !== "deleted").flatMap((status) => groups.map((group) => [status, group] as const)))(
    "without an active workspace, billing %s, group %s: upgradePlan",
    (billingStatus, planGroup) => expect(upgradeButton({ planGroup, billingStatus, hasActiveWorkspace: false }).text).toBe("upgradePlan"),
  );
  test.each(paid)(
    "with a deleted subscription in group %s: resubscribe, also where its end has stopped or deleted the workspace",
    (planGroup) => {
      for (const hasActiveWorkspace of [true, false])
        expect(upgradeButton({ planGroup, billingStatus: "deleted", hasActiveWorkspace }).text).toBe("resubscribe");
    },
  );
  test.each(statuses.filter((status) => status !== "deleted").flatMap((status) => paid.map((group) => [status, group] as const)))(
    "with a workspace, billing %s, group %s: changeInstanceSize",
    (billingStatus, planGroup) =>
      expect(upgradeButton({ planGroup, billingStatus, hasActiveWorkspace: true }).text).toBe("changeInstanceSize"),
  );
});

describe("where the upgrade button leads", () => {
  const everywhere = (billingStatus: UpgradeFacts["billingStatus"]) =>
    groups.flatMap((planGroup) =>
      [true, false].map((hasActiveWorkspace) => upgradeButton({ planGroup, billingStatus, hasActiveWorkspace })),
    );

  test.each([null, "active", "trialing", "deleted"] as const)("with billing %s: to the plans, without an error", (status) => {
    for (const { to, error } of everywhere(status)) expect([to, error]).toEqual(["/account/change-plan", null]);
  });
  test.each(["past_due", "paused"] as const)("with billing %s: to billing, with the error that it has to be updated first", (status) => {
    for (const { to, error } of everywhere(status)) expect([to, error]).toEqual(["/manage/billing", "updateBillingFirst"]);
  });
});

import { expect, test } from "vitest";
import { n8nAlone } from "#contract/billing/plans/delivered-features.ts";
import { planSpecView, readCatalogue } from "#domain/plans/catalogue.ts";
import { enterpriseFeatures, enterpriseLabels, featureLabels, featureName } from "./feature-labels.ts";

const specs = readCatalogue().specs.map((spec) => planSpecView(spec, spec.id, null));
const alone = { ...n8nAlone, workspaceMemoryMb: 1024 };
const licensed = { ...alone, n8nLicense: true };
const labels = (id: string, delivery = alone) =>
  featureLabels(
    specs.find((spec) => spec.id === id)!,
    delivery,
  );

test("without a license a card lists what every operator delivers", () => {
  expect(labels("starter")).toEqual([
    "Unlimited users, each with a separate space",
    "Forum support",
    "1,024 MB memory",
    "5 executions at a time",
    "7-day execution log, up to 2,500 executions",
    "Backups kept for 7 days",
    "7-day insights summary",
    "1-day workflow history",
    "Global variables",
  ]);
  expect(labels("pro-2")).toEqual([
    "Unlimited users, each with a separate space",
    "Email support",
    "2,048 MB memory",
    "50 executions at a time",
    "30-day execution log, up to 50,000 executions",
    "Backups kept for 30 days",
    "7-day insights summary",
    "1-day workflow history",
    "Global variables",
  ]);
});

test("with a license Pro has what was promised for it, and Starter and the trial nothing more", () => {
  for (const label of [
    "Unlimited users",
    "3 shared projects",
    "7-day insights",
    "Advanced permissions",
    "Admin roles",
    "Global variables",
    "5-day workflow history",
    "Execution search",
  ]) {
    expect(labels("pro-1", licensed)).toContain(label);
    expect(labels("pro-2", licensed)).toContain(label);
  }
  expect(labels("starter", licensed)).toEqual(labels("starter"));
  expect(labels("trial-1", licensed)).toEqual(labels("trial-1"));
});

test("the catalogue has what was promised for Enterprise, and the offer shows what is delivered here", () => {
  expect(specs.find(({ id }) => id === "enterprise")?.enabledFeatures).toEqual(enterpriseFeatures);
  expect(enterpriseLabels(alone)).toEqual(["Executions and workflows as agreed", "Dedicated support", "Extended retention"]);
  const wanted = [
    "Unlimited projects",
    "LDAP",
    "Environments",
    "External secrets",
    "Log streaming",
    "Version control",
    "Dedicated support",
  ];
  for (const label of wanted) expect(enterpriseLabels(licensed)).toContain(label);
});

test("the number of users follows the plan's license features; without user management there is only the owner", () => {
  const starter = specs.find(({ id }) => id === "starter")!;
  expect(featureLabels({ ...starter, licenseFeatures: { "quota:users": 3 } }, alone)).toContain("3 users, each with a separate space");
  expect(featureLabels({ ...starter, userManagementEnabled: false }, alone)).toContain("Single user");
  expect(featureLabels({ ...starter, licenseFeatures: {}, supportTier: "none" }, alone)[0]).toBe("1,024 MB memory");
});

test("the name of an operator's own feature is read from its code", () => expect(featureName("priority-queue")).toBe("Priority queue"));

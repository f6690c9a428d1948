import { expect, test } from "vitest";
import { deliveredFeatures } from "./delivered-features.ts";

const pro = [
  "shared-projects-3",
  "insights-7-days",
  "advanced-permissions",
  "admin-roles",
  "global-variables",
  "workflow-history-5-days",
  "execution-search",
];
const free = { engine: "n8n", n8nLicense: false } as const;
const withKey = { engine: "n8n", n8nLicense: true } as const;

test("without a license a plan has n8n's free features, for n8n's number of days", () => {
  expect(deliveredFeatures({ enabledFeatures: pro, n8nLicense: true }, free)).toEqual(["insights-7-days", "workflow-history-1-day"]);
  expect(deliveredFeatures({ enabledFeatures: ["insights-365-days", "workflow-history-unlimited"] }, free)).toEqual([
    "insights-7-days",
    "workflow-history-1-day",
  ]);
});

test("a license applies only to the plans that include it", () => {
  expect(deliveredFeatures({ enabledFeatures: pro, n8nLicense: true }, withKey)).toEqual(pro);
  expect(deliveredFeatures({ enabledFeatures: pro }, withKey)).toEqual(["insights-7-days", "workflow-history-1-day"]);
});

test("undelivered labels are never shown, an operator's own always, and n8n's not with another engine", () => {
  const codes = ["scaling", "invoice-billing", "ldap", "onboarding-call"];
  expect(deliveredFeatures({ enabledFeatures: codes, n8nLicense: true }, withKey)).toEqual(["ldap", "onboarding-call"]);
  expect(deliveredFeatures({ enabledFeatures: [...pro, ...codes], n8nLicense: true }, { engine: "node-red", n8nLicense: true })).toEqual([
    "onboarding-call",
  ]);
});

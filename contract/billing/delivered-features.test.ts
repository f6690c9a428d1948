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

test("without a licence a plan has what n8n gives everybody, and no more days of it", () => {
  expect(deliveredFeatures({ enabledFeatures: pro, n8nLicense: true }, free)).toEqual(["insights-7-days", "workflow-history-1-day"]);
  expect(deliveredFeatures({ enabledFeatures: ["insights-365-days", "workflow-history-unlimited"] }, free)).toEqual([
    "insights-7-days",
    "workflow-history-1-day",
  ]);
});

test("a licence reaches the plans that include it, and no other", () => {
  expect(deliveredFeatures({ enabledFeatures: pro, n8nLicense: true }, withKey)).toEqual(pro);
  expect(deliveredFeatures({ enabledFeatures: pro }, withKey)).toEqual(["insights-7-days", "workflow-history-1-day"]);
});

test("what nothing delivers is never shown, an operator's own promise always, and n8n's labels not with another engine", () => {
  const codes = ["scaling", "invoice-billing", "ldap", "onboarding-call"];
  expect(deliveredFeatures({ enabledFeatures: codes, n8nLicense: true }, withKey)).toEqual(["ldap", "onboarding-call"]);
  expect(deliveredFeatures({ enabledFeatures: [...pro, ...codes], n8nLicense: true }, { engine: "node-red", n8nLicense: true })).toEqual([
    "onboarding-call",
  ]);
});

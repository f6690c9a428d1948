import { readFileSync } from "node:fs";
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

test("without a license a plan has n8n's free features, for n8n's number of days, and what this service delivers itself", () => {
  expect(deliveredFeatures({ enabledFeatures: pro, n8nLicense: true }, free)).toEqual([
    "insights-7-days",
    "global-variables",
    "workflow-history-1-day",
  ]);
  expect(deliveredFeatures({ enabledFeatures: ["insights-365-days", "workflow-history-unlimited"] }, free)).toEqual([
    "insights-7-days",
    "workflow-history-1-day",
  ]);
});

test("a license applies only to the plans that include it", () => {
  expect(deliveredFeatures({ enabledFeatures: pro, n8nLicense: true }, withKey)).toEqual(pro);
  expect(deliveredFeatures({ enabledFeatures: pro }, withKey)).toEqual(["insights-7-days", "global-variables", "workflow-history-1-day"]);
});

test("undelivered labels are never shown, an operator's own always, and n8n's not with another engine", () => {
  const codes = ["scaling", "invoice-billing", "ldap", "onboarding-call"];
  expect(deliveredFeatures({ enabledFeatures: codes, n8nLicense: true }, withKey)).toEqual(["ldap", "onboarding-call"]);
  expect(deliveredFeatures({ enabledFeatures: [...pro, ...codes], n8nLicense: true }, { engine: "node-red", n8nLicense: true })).toEqual([
    "global-variables",
    "onboarding-call",
  ]);
});

test("extended retention needs more than 30 days and an engine that keeps executions, dedicated support its tier", () => {
  const enabledFeatures = ["extended-retention", "dedicated-support"];
  const of = (pruneExecutionsInterval: number, supportTier: string, engine: "n8n" | "node-red" = "n8n") =>
    deliveredFeatures({ enabledFeatures, pruneExecutionsInterval, supportTier }, { engine, n8nLicense: false });
  expect(of(2160, "dedicated")).toEqual(enabledFeatures);
  expect(of(720, "email")).toEqual([]);
  expect(of(2160, "dedicated", "node-red")).toEqual(["dedicated-support"]);
});

const page = readFileSync(new URL("../../../docs/what-is-sold.md", import.meta.url), "utf8");
/** The rows of the page's table of labels: number, label, code, without a license, with one. */
const rows = [...page.matchAll(/^\| ([\d–]+) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \| .+ \|$/gm)].map(
  ([, ...cells]) => cells as [string, string, string, string, string],
);

test("the page on what is sold has a row for each of the 23 promised labels", () =>
  expect(rows.map(([number]) => number)).toEqual([...Array.from({ length: 23 }, (_, index) => String(index + 1)), "–"]));

const delivered = (code: string, delivery: typeof free | typeof withKey) => {
  const [found] = deliveredFeatures({ enabledFeatures: [code], n8nLicense: true, supportTier: "dedicated" }, delivery);
  if (found === undefined) return "no";
  return found === code ? "yes" : `\`${found}\``;
};

test.each(rows.filter(([, , code]) => code.startsWith("`")))(
  "label %s, %s, is delivered as the page on what is sold says",
  (_number, _label, code, without, licensed) => {
    const plain = code.replaceAll("`", "");
    expect([delivered(plain, free), delivered(plain, withKey)]).toEqual([without, licensed]);
  },
);

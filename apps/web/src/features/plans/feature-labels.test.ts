import { expect, test } from "vitest";
import { planSpecView, readCatalogue } from "#domain/plans/catalogue.ts";
import { enterpriseFeatures, featureLabels, featureName } from "./feature-labels.ts";

const specs = readCatalogue().specs.map((spec) => planSpecView(spec, spec.id, null));
const labels = (id: string) => featureLabels(specs.find((spec) => spec.id === id)!);

test("Starter has what the specification lists", () => {
  expect(labels("starter")).toEqual(["1 shared project", "Unlimited users", "Forum support", "1-day workflow history"]);
});

test("Pro has what the specification lists", () => {
  for (const label of ["3 shared projects", "7-day insights", "Advanced permissions", "Admin roles", "Global variables", "5-day workflow history", "Execution search"]) {
    expect(labels("pro-1")).toContain(label);
    expect(labels("pro-2")).toContain(label);
  }
});

test("Enterprise has what the specification lists, and the same as the catalogue's", () => {
  const wanted = ["Unlimited projects", "365-day insights", "LDAP", "Environments", "External secrets", "Log streaming", "Version control", "Scaling", "Extended retention", "Dedicated support", "Invoice billing"];
  for (const label of wanted) expect(labels("enterprise")).toContain(label);
  expect(specs.find(({ id }) => id === "enterprise")?.enabledFeatures).toEqual(enterpriseFeatures);
});

test("one user is a single user", () => {
  const starter = specs.find(({ id }) => id === "starter")!;
  expect(featureLabels({ ...starter, licenseFeatures: { "quota:users": 1 } })).toContain("Single user");
  expect(featureLabels({ ...starter, licenseFeatures: {}, supportTier: "none" })).toEqual(["1 shared project", "1-day workflow history"]);
});

test("a feature of the operator's own is read from its code", () => expect(featureName("priority-queue")).toBe("Priority queue"));

/** The built-in plans with other numbers, for a program that is started with PLANS_FILE. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import plans from "#domain/plans/plans.json" with { type: "json" };
import type { CataloguePlanSpec } from "#domain/plans/catalogue.ts";

/** Writes `plans.json` into the folder, with these changes in each plan's spec; returns its path. */
export function writePlans(folder: string, changes: Partial<CataloguePlanSpec>): string {
  const file = join(folder, "plans.json");
  writeFileSync(file, JSON.stringify({ ...plans, specs: plans.specs.map((spec) => ({ ...spec, ...changes })) }));
  return file;
}

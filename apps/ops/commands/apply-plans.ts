import { resolve } from "node:path";
import { z } from "zod";
import { applyCatalogue, compareCatalogue } from "#domain/plans/apply-catalogue.ts";
import { readCatalogue, type Catalogue } from "#domain/plans/catalogue.ts";
import { brokenPromises } from "#domain/plans/kept-promises.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Makes the service sell the plans of a file. */
export const applyPlans: Command = {
  name: "apply-plans",
  options: {
    file: { type: "string", summary: "the plans file; by default PLANS_FILE, or the one included with the program" },
    "also-for-holders": { type: "boolean", summary: "also change prices and lower limits for customers on these plans" },
    "dry-run": { type: "boolean", summary: "only show what would change" },
  },
  summary: "Show how a plans file differs from the plans being sold, and apply it",
  async run({ db, clock, config, operator, print }, { options }) {
    const file = typeof options["file"] === "string" ? resolve(options["file"]) : config.plansFile;
    const catalogue = read(file);
    const difference = await compareCatalogue(db, catalogue);
    for (const line of difference.lines) print(line);
    if (difference.lines.length === 0) return print("No differences.");
    const alsoForHolders = options["also-for-holders"] === true;
    if (options["dry-run"]) {
      const broken = await brokenPromises(db, catalogue);
      if (broken.length > 0) print(refusal(broken));
      return print("Nothing was applied.");
    }
    const broken = await applyCatalogue(db, catalogue, difference, { operator, now: clock.now(), alsoForHolders });
    if (broken.length > 0 && !alsoForHolders) throw new CommandRefused(refusal(broken));
    print("Applied.");
  },
};

const refusal = (broken: readonly string[]): string =>
  [
    "Customers are on plans that this file changes:",
    ...broken.map((line) => `  - ${line}`),
    "Sell it as a new plan beside the old one (docs/runbooks/raise-a-price.md), or run this again with --also-for-holders.",
  ].join("\n");

function read(file: string | undefined): Catalogue {
  try {
    return readCatalogue(file);
  } catch (error) {
    const problems =
      error instanceof z.ZodError
        ? error.issues.map(({ path, message }) => `  - ${path.map(String).join(".") || "the file"}: ${message}`)
        : [`  - ${(error as Error).message}`];
    throw new CommandRefused([`The plans of ${file ?? "the program"} can't be used:`, ...problems].join("\n"));
  }
}

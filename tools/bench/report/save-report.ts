/** Writes what a run measured. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawFigures } from "./draw-figures.ts";
import { asMarkdown, type RunReport } from "./run-report.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** Ignored by git. */
const runsDir = join(root, ".cache", "bench");
const keptDir = join(root, "docs", "figures");
const keptFile = join(keptDir, "figures.json");

export const readKept = (): RunReport => JSON.parse(readFileSync(keptFile, "utf8")) as RunReport;

/** Writes the run as JSON and Markdown; returns the paths without their extension. */
export function saveRun(report: RunReport): string {
  mkdirSync(runsDir, { recursive: true });
  const path = join(runsDir, new Date().toISOString().replaceAll(/[:.]/g, "-"));
  writeFileSync(`${path}.json`, json(report));
  writeFileSync(`${path}.md`, asMarkdown(report));
  return path;
}

/** Replaces the measured parts of the stored figures, and draws the page and the pictures again. */
export function keepRun(report: RunReport): void {
  const kept = { ...readKept(), ...report };
  writeFileSync(keptFile, json(kept));
  for (const [name, content] of Object.entries(drawFigures(kept))) writeFileSync(join(keptDir, name), content);
}

const json = (report: RunReport): string => `${JSON.stringify(report, null, 2)}\n`;

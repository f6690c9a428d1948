/**
 * Lighthouse, according to the lock beside this file: fetched into .cache when it is first used, because nothing else needs its 114
 * packages.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findNpm, runNpm } from "#apps/provisioner/engines/install/run-npm.ts";

const wanted = fileURLToPath(new URL("package", import.meta.url));
const folder = fileURLToPath(new URL("../../.cache/lighthouse", import.meta.url));

/** The parts of Lighthouse's result that are read. Scores are from 0 to 1, null if a category does not apply. */
export interface LighthouseResult {
  lhr: {
    lighthouseVersion: string;
    runtimeError?: { message: string };
    finalDisplayedUrl: string;
    /** How fast this processor was for a short calculation. */
    environment: { benchmarkIndex: number };
    categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
    audits: Record<string, { title: string; score: number | null; scoreDisplayMode: string; numericValue?: number; displayValue?: string }>;
  };
}

interface Page {
  close(): Promise<void>;
}
export interface DrivenBrowser {
  newPage(): Promise<Page>;
  setCookie(...cookies: { name: string; value: string; domain: string; path: string }[]): Promise<void>;
  close(): Promise<void>;
}

export interface Lighthouse {
  run(url: string, flags: object, config: object | undefined, page: Page): Promise<LighthouseResult | undefined>;
  /** Its settings for a desktop; those for a phone are its default. */
  desktopConfig: object;
  launch(options: { executablePath: string; args: string[]; env: NodeJS.ProcessEnv; headless: "shell" }): Promise<DrivenBrowser>;
}

/** Fetches it if it is missing or has another version. */
export async function loadLighthouse(): Promise<Lighthouse> {
  await install();
  const find = createRequire(join(folder, "package.json"));
  const load = async (name: string): Promise<unknown> => import(pathToFileURL(find.resolve(name)).href);
  const { default: run, desktopConfig } = (await load("lighthouse")) as { default: Lighthouse["run"]; desktopConfig: object };
  const { default: puppeteer } = (await load("puppeteer-core")) as { default: Pick<Lighthouse, "launch"> };
  return { run, desktopConfig, launch: (options) => puppeteer.launch(options) };
}

async function install(): Promise<void> {
  const files = ["package.json", "package-lock.json"];
  const isSame = (name: string) =>
    existsSync(join(folder, name)) && readFileSync(join(folder, name), "utf8") === readFileSync(join(wanted, name), "utf8");
  // npm writes its own list last.
  if (files.every(isSame) && existsSync(join(folder, "node_modules", ".package-lock.json"))) return;
  const npmCli = findNpm();
  if (!npmCli) throw new Error("npm was not found. Install npm (it comes with Node) and try again.");
  console.log("Fetching Lighthouse …");
  mkdirSync(folder, { recursive: true });
  for (const name of files) copyFileSync(join(wanted, name), join(folder, name));
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, output } = await runNpm({ nodeBinary: process.execPath, npmCli, cwd: folder, args });
  if (code !== 0) throw new Error(`Lighthouse could not be fetched:\n${output.slice(-2_000)}`);
}

/**
 * Checks the order of modules: who may import whom, and that there is no circle of imports at run time. ARCHITECTURE.md shows the same
 * list. Tests, and files in a `testing` folder, may import anything; only circles are checked for them.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The modules of `domain`, lowest first: each may import those before it. `journeys` compose them all. */
const moduleOrder = `
  attempts audit challenges experiments invitations mail memory-gap node-catalogue service-clock surveys
  accounts workspaces plans usage backups exports updates
  cards invoices billing passwords secret-rotation
  signals
  journeys
`
  .trim()
  .split(/\s+/);
/** What every journey may import of the others: who is signed in, and what the journeys work with. */
const sharedByJourneys = ["signed-in", "services.ts"];

/** Which other areas an area may import. What is not listed here starts or tests the program, and may import anything. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  platform: ["contract", "database/tables.ts"],
  database: ["contract", "platform"],
  payments: ["contract", "platform", "database"],
  domain: ["contract", "platform", "database", "payments/payment-provider.ts"],
  "apps/web": ["contract"],
  apps: ["apps/web", "contract", "platform", "database", "domain", "payments"],
};

interface Import {
  from: string;
  to: string;
  isTypeOnly: boolean;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const files = globSync("{apps,contract,database,deploy,docs,domain,e2e,monitoring,payments,platform,testing,tools}/**/*.{ts,tsx,mts,mjs}", {
  cwd: root,
  exclude: ["**/node_modules/**", "apps/web/dist/**"],
});
const known = new Set(files);
const imports = files.flatMap(importsOf);
const production = imports.filter(({ from }) => !isForTests(from));

test("a module imports only modules below it", () => {
  const upwards = production.filter(({ from, to }) => {
    const [own, other] = [moduleOf(from), moduleOf(to)];
    return own !== undefined && other !== undefined && moduleOrder.indexOf(other) > moduleOrder.indexOf(own);
  });
  expect(upwards.map(said)).toEqual([]);
  const folders = new Set(files.map(moduleOf).filter((name) => name !== undefined));
  expect([...folders].toSorted()).toEqual(moduleOrder.toSorted());
});

test("a journey imports no other journey, except for who is signed in", () => {
  const across = production.filter(({ from, to }) => {
    const [own, other] = [journeyOf(from), journeyOf(to)];
    if (own === undefined || other === undefined || own === "services.ts") return false;
    return own !== other && !sharedByJourneys.includes(other);
  });
  expect(across.map(said)).toEqual([]);
});

test("an area imports only the areas below it", () => {
  const forbidden = production.filter(({ from, to }) => {
    const own = areaOf(from);
    return own !== areaOf(to) && allowed[own]?.some((area) => to === area || to.startsWith(`${area}/`)) === false;
  });
  expect(forbidden.map(said)).toEqual([]);
});

test("no files import each other in a circle at run time", () => {
  expect(circles(imports.filter(({ isTypeOnly }) => !isTypeOnly))).toEqual([]);
});

test("ARCHITECTURE.md lists the modules in the same order", () => {
  const [, section = ""] = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("## The order of modules\n");
  const [, list = ""] = /```\n([^]*?)```/.exec(section) ?? [];
  expect(list.match(/[a-z-]+/g)).toEqual(moduleOrder);
});

/** The files of this repository that a file imports. Import lines are found by their form: each begins a line. */
function importsOf(from: string): Import[] {
  const text = readFileSync(join(root, from), "utf8");
  const statements = text.matchAll(/^(?:import|export)\b(\s+type\b)?[^;"'`()]*?["']([^"'\n]+)["']/gm);
  return [...statements].flatMap(([, type, specifier]) => {
    const to = fileOf(specifier!, from);
    return known.has(to) ? [{ from, to, isTypeOnly: type !== undefined }] : [];
  });
}

function fileOf(specifier: string, from: string): string {
  if (specifier.startsWith(".")) return normalize(join(dirname(from), specifier));
  return specifier.replace(/^#web\//, "apps/web/src/").replace(/^#/, "");
}

/** Groups of files that all reach each other by imports: Tarjan's algorithm. */
function circles(edges: Import[]): string[][] {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const depths = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const depth = depths.size;
    depths.set(file, depth);
    lowest.set(file, depth);
    path.push(file);
    for (const { to } of targets.get(file) ?? []) {
      const reached = depths.has(to) ? (path.includes(to) ? depths.get(to)! : depth) : visit(to);
      lowest.set(file, Math.min(lowest.get(file)!, reached));
    }
    if (lowest.get(file) === depth) {
      const group = path.splice(path.indexOf(file));
      if (group.length > 1) found.push(group.toSorted());
    }
    return lowest.get(file)!;
  };
  for (const file of targets.keys()) if (!depths.has(file)) visit(file);
  return found;
}

function isForTests(file: string): boolean {
  return /\.test\.|^(testing|e2e|tools)\/|\/testing\/|-(suite|harness)\.ts$/.test(file);
}

function areaOf(file: string): string {
  return file.startsWith("apps/web/") ? "apps/web" : file.split("/")[0]!;
}

/** `domain/x/…` → "x"; a file directly in `domain` has none. */
function moduleOf(file: string): string | undefined {
  return /^domain\/([^/]+)\//.exec(file)?.[1];
}

/** `domain/journeys/x/…` → "x", and `services.ts`, which all of them use. */
function journeyOf(file: string): string | undefined {
  return /^domain\/journeys\/([^/]+)/.exec(file)?.[1];
}

function said({ from, to }: Import): string {
  return `${from} → ${to}`;
}

/**
 * The budget of the sign-in page and of all others: what a browser fetches before a page is painted, and how much JavaScript before it
 * works.
 */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test, vi } from "vitest";
import { matchRoutes } from "react-router";
import { build, type Rolldown } from "vite";
import { addresses, folderOf, framesOf } from "./page-frames.ts";
import { invoicePath, paths } from "./src/lib/paths.ts";
import { routes } from "./src/routes.tsx";

const budgetBytes = 120_000;

/** Each kind of page, and its budget in bytes of JavaScript, compressed. Those behind the sign-in have 170 KB at most. */
const kinds = [
  {
    kind: "before the sign-in",
    most: 150_000,
    pages: ["front", "forgot-password", "magic-link", "register", "reset-password", "continue-as", "change-email", "confirm-email"],
  },
  {
    kind: "of the sign-up",
    most: 160_000,
    pages: ["account-survey", "account-apps", "invite-teammate", "verify-email", "account-launching"],
  },
  { kind: "of the first launch", most: 170_000, pages: ["account-setup"] },
  { kind: "dashboard", most: 170_000, pages: ["dashboard"] },
  { kind: "editor", most: 150_000, pages: ["open"] },
  {
    kind: "to manage the workspace",
    most: 165_000,
    pages: ["manage-monitoring", "manage-logs", "manage-backups", "manage-export", "manage-members", "manage-danger"],
  },
  {
    kind: "of forms about the workspace",
    most: 170_000,
    pages: ["manage", "manage-versions", "manage-billing", "manage-billing-invoices"],
  },
  { kind: "of plans", most: 165_000, pages: ["account-change-plan", "account-checkout"] },
  {
    kind: "of the account",
    most: 160_000,
    pages: ["account-profile", "account-notifications", "account-security", "account-close", "account-suspended"],
  },
  { kind: "open to all", most: 160_000, pages: ["help", "dev-inbox", "dev-experiments"] },
];

/** A chunk and everything it imports, not what it may import later. */
function withImports(chunks: Map<string, Rolldown.OutputChunk>, fileName: string, found = new Set<string>()): Set<string> {
  if (found.has(fileName)) return found;
  found.add(fileName);
  for (const next of chunks.get(fileName)?.imports ?? []) withImports(chunks, next, found);
  return found;
}

let output: Rolldown.RolldownOutput["output"];
beforeAll(async () => {
  // The test runner's own setting would build React's development version.
  vi.stubEnv("NODE_ENV", "production");
  const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url));
  const result = await build({ configFile, logLevel: "silent", build: { write: false } });
  output = ((Array.isArray(result) ? result[0] : result) as Rolldown.RolldownOutput).output;
});

test("the first paint needs no request, and the font and all chunks of the sign-in page are requested together", () => {
  const page = output.find((file) => file.fileName === "index.html");
  if (page?.type !== "asset") throw new Error("the build has no page");
  const html = String(page.source);
  expect(html).not.toMatch(/rel="stylesheet"|<script src=/);
  expect(html.match(/<style>/g)).toHaveLength(1);
  expect(output.filter((file) => file.fileName.endsWith(".css"))).toEqual([]);
  const preloaded = [...html.matchAll(/rel="modulepreload" crossorigin fetchpriority="low" href="\/([^"]+)"/g)].map(
    ([, fileName]) => fileName,
  );
  expect(preloaded).toEqual([expect.stringContaining("/frame-"), expect.any(String)]);
  expect(html.match(/<link rel="preload" as="font"[^>]* href="\/assets\/inter-panel-[\w-]+\.woff2">/g)).toHaveLength(1);
  expect(pageParts()[paths.login]).toEqual([
    expect.stringContaining("/frame-"),
    expect.stringContaining("/login-page-"),
    expect.any(String),
  ]);
  // No chunk contains the styles a second time.
  for (const file of output) if (file.type === "chunk") expect(file.code).not.toMatch(/assets\/[\w-]+\.css/);
});

/** What the server names in the header that comes with the page. */
function pageParts(): Record<string, string[]> {
  const file = output.find(({ fileName }) => fileName === "page-parts.json");
  if (file?.type !== "asset") throw new Error("the build does not say what its pages need");
  return JSON.parse(String(file.source)) as Record<string, string[]>;
}

test("every page has its own frames around it", () => {
  const frameOf = new Map<unknown, string | undefined>();
  for (const path of addresses) {
    const frames = framesOf(folderOf(path));
    const fetched = (matchRoutes(routes, Object.values(paths).includes(path as never) ? path : invoicePath("1")) ?? []).filter(
      ({ route }) => route.lazy,
    );
    // The last is the page itself; the front page is not a separate route, and one address only redirects.
    const around = path === paths.continue ? [] : fetched.slice(0, -1);
    expect(around.length, path).toBe(path === paths.continue ? 0 : frames.length);
    around.forEach(({ route }, depth) => {
      if (frameOf.has(route)) expect(frames[depth], path).toBe(frameOf.get(route));
      frameOf.set(route, frames[depth]);
    });
  }
  expect(new Set(frameOf.values()).size).toBe(frameOf.size);
});

test("the part of the font that every page waits for weighs at most 30 KB", () => {
  const font = output.find(({ fileName }) => /\/inter-panel-[\w-]+\.woff2$/.test(fileName));
  expect(font?.type === "asset" && font.source.length).toBeLessThanOrEqual(30_000);
});

test("no page contains the list of common passwords, which only the server needs", () => {
  for (const file of output) if (file.type === "chunk") expect(/trustno1|zxcvbn/.exec(file.code)?.[0], file.fileName).toBeUndefined();
});

test("the sign-in page weighs at most 120 KB of JavaScript, compressed", () => {
  const chunks = new Map(output.filter((file) => file.type === "chunk").map((chunk) => [chunk.fileName, chunk]));
  const all = [...chunks.values()];
  const entry = all.find((chunk) => chunk.isEntry);
  const page = all.find((chunk) => chunk.facadeModuleId?.endsWith("/login-page.tsx"));
  if (!entry || !page) throw new Error("the build has no entry or no sign-in page");
  const files = new Set([...withImports(chunks, entry.fileName), ...withImports(chunks, page.fileName)]);
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(chunks.get(file)?.code ?? "").length, 0);
  expect(bytes).toBeLessThanOrEqual(budgetBytes);
  expect(bytes).toBeGreaterThan(50_000);
});

/** The folder of the page that a chunk is fetched for. */
const pageOf = ({ facadeModuleId }: Rolldown.OutputChunk) => /\/src\/pages\/([^/]+)\/[\w-]+-page\.tsx$/.exec(facadeModuleId ?? "")?.[1];

test("every page has a budget", () => {
  const built = output.flatMap((file) => (file.type === "chunk" ? (pageOf(file) ?? []) : []));
  expect([...kinds.flatMap(({ pages }) => pages), "login"].sort()).toEqual([...built].sort());
});

test.for(kinds)(
  "a page $kind weighs at most $most bytes of JavaScript, compressed, all of which is requested with it",
  ({ most, pages }) => {
    const chunks = new Map(output.filter((file) => file.type === "chunk").map((chunk) => [chunk.fileName, chunk]));
    const chunkOf = (isIt: (chunk: Rolldown.OutputChunk) => boolean) => withImports(chunks, [...chunks.values()].find(isIt)!.fileName);
    for (const page of pages) {
      const files = new Set([
        ...chunkOf(({ isEntry }) => isEntry),
        ...chunkOf((chunk) => pageOf(chunk) === page),
        ...framesOf(page).flatMap((frame) => [
          ...chunkOf(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/layouts/${frame}.tsx`))),
        ]),
      ]);
      const path = addresses.find((each) => folderOf(each) === page)!;
      const entry = [...chunks.values()].find(({ isEntry }) => isEntry)!.fileName;
      const parts = pageParts()[path] ?? [];
      expect(
        [...files].filter((file) => file !== entry && !parts.includes(file)),
        page,
      ).toEqual([]);
      // Parts are fetched in the order in which they are named.
      expect(parts[0], page).toContain("/frame-");
      // Proxies refuse headers that are longer than their buffers, often 4 KB.
      expect(parts.join("").length + parts.length * 41, page).toBeLessThan(2_500);
      // A browser makes six requests at a time to a server that speaks HTTP/1.1.
      expect(files.size, page).toBeLessThanOrEqual(20);
      const loaded = [...files].map((file) => chunks.get(file)!);
      // Compressed as the files that are served: apps/web/precompress.ts.
      const bytes = loaded.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
      expect(bytes, page).toBeLessThanOrEqual(most);
      // They are fetched when the first dialog opens and the first field is checked.
      expect(
        loaded.flatMap(({ moduleIds }) => moduleIds).filter((id) => /node_modules\/(?:zod|@base-ui)\//.test(id)),
        page,
      ).toEqual([]);
    }
  },
);

/** The sign-in page's budget: what a browser fetches before it is painted, and how much JavaScript before it works. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test, vi } from "vitest";
import { build, type Rolldown } from "vite";

const budgetBytes = 120_000;

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
}, 120_000);

test("the first paint needs no request, and all chunks of the sign-in page are requested together", () => {
  const page = output.find((file) => file.fileName === "index.html");
  if (page?.type !== "asset") throw new Error("the build has no page");
  const html = String(page.source);
  expect(html).not.toMatch(/rel="stylesheet"|<script src=/);
  expect(html.match(/<style>/g)).toHaveLength(1);
  expect(output.filter((file) => file.fileName.endsWith(".css"))).toEqual([]);
  const preloaded = [...html.matchAll(/rel="modulepreload" crossorigin href="\/([^"]+)"/g)].map(([, fileName]) => fileName);
  expect(preloaded).toEqual([expect.stringContaining("/frame-"), expect.stringContaining("/login-page-"), expect.any(String)]);
  // No chunk brings the styles a second time.
  for (const file of output) if (file.type === "chunk") expect(file.code).not.toMatch(/assets\/[\w-]+\.css/);
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

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { sortNodes, type CatalogueNode } from "./catalogue.ts";
import { createNodeCatalogue, type CatalogueSource } from "./create-node-catalogue.ts";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "slipway-catalogue-"))));
afterAll(() => rm(folder, { recursive: true }));

const node = (name: string, popularity = 0): CatalogueNode => ({ name, displayName: name, popularity, categories: [], icon: null });

let files = 0;
function source(changes: Partial<CatalogueSource> = {}) {
  let nowMs = 0;
  const world = {
    builds: 0,
    installed: true,
    later: () => (nowMs += 60_000),
    cacheFile: join(folder, `${(files += 1)}`, "n8n.json"),
  };
  const made: CatalogueSource = {
    version: "n8n-1",
    isInstalled: () => Promise.resolve(world.installed),
    build: () => Promise.resolve([node("a", world.builds++), node("b", 0.5)]),
    cacheFile: world.cacheFile,
    log: createLog("silent"),
    now: () => new Date(nowMs),
    ...changes,
  };
  return { world, made };
}

const versionOf = async (catalogue: ReturnType<typeof createNodeCatalogue>) => (await catalogue.current()).version;

test("the first query gets the snapshot immediately, the next ones the engine's own nodes, in order", async () => {
  const { made } = source();
  const catalogue = createNodeCatalogue(made);
  expect(await versionOf(catalogue)).toMatch(/^snapshot-/);
  await catalogue.settled();
  expect(await catalogue.current()).toEqual({ version: "n8n-1", nodes: [node("b", 0.5), node("a", 0)] });
});

test("many simultaneous queries cost one build, and a restart none", async () => {
  const { world, made } = source();
  const catalogue = createNodeCatalogue(made);
  await Promise.all(Array.from({ length: 20 }, () => catalogue.current()));
  await catalogue.settled();
  expect(world.builds).toBe(1);
  const again = createNodeCatalogue(made);
  await again.current();
  await again.settled();
  expect(await versionOf(again)).toBe("n8n-1");
  expect(world.builds).toBe(1);
});

test("an engine that is installed later is found later", async () => {
  const { world, made } = source();
  world.installed = false;
  const catalogue = createNodeCatalogue(made);
  await catalogue.current();
  await catalogue.settled();
  expect(await versionOf(catalogue)).toMatch(/^snapshot-/);
  world.installed = true;
  world.later();
  await catalogue.current();
  await catalogue.settled();
  expect(await versionOf(catalogue)).toBe("n8n-1");
});

test("a cache file that is broken, empty or of another version is built again", async () => {
  for (const content of ["", "{", '{"format":1,"version":"n8n-0","nodes":[{}]}', '{"format":1,"version":"n8n-1","nodes":[]}']) {
    const { world, made } = source();
    const first = createNodeCatalogue(made);
    await first.current();
    await first.settled();
    await writeFile(world.cacheFile, content);
    const catalogue = createNodeCatalogue(made);
    await catalogue.current();
    await catalogue.settled();
    expect(await versionOf(catalogue)).toBe("n8n-1");
    expect(JSON.parse(await readFile(world.cacheFile, "utf8"))).toMatchObject({ version: "n8n-1" });
  }
});

test("a failed build leaves the snapshot in use, and is retried", async () => {
  let fails = true;
  const { world, made } = source({ build: () => (fails ? Promise.reject(new Error("no such file")) : Promise.resolve([node("a")])) });
  const catalogue = createNodeCatalogue(made);
  await catalogue.current();
  await catalogue.settled();
  expect(await versionOf(catalogue)).toMatch(/^snapshot-/);
  fails = false;
  world.later();
  await catalogue.current();
  await catalogue.settled();
  expect(await versionOf(catalogue)).toBe("n8n-1");
});

test("a folder that cannot be written costs a build at each start, and nothing else", async () => {
  const blocked = join(folder, "a-file");
  await writeFile(blocked, "");
  const catalogue = createNodeCatalogue(source({ cacheFile: join(blocked, "n8n.json") }).made);
  await catalogue.current();
  await catalogue.settled();
  expect(await versionOf(catalogue)).toBe("n8n-1");
});

test("equally popular nodes are sorted by display name", () => {
  const named = (displayName: string, popularity: number) => ({ ...node(displayName), displayName, popularity });
  expect(sortNodes([named("b", 0.1), named("a10", 0.1), named("A2", 0.1), named("z", 0.9)]).map(({ displayName }) => displayName)).toEqual([
    "z",
    "A2",
    "a10",
    "b",
  ]);
});

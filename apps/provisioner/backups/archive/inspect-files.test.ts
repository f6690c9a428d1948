/** What a process that inspects a tenant's files could do if those files took it over. */
// oxlint-disable vitest/no-conditional-expect -- what can be promised depends on whether this host has sandboxes.
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSandboxTools } from "../../drivers/process/sandbox/sandbox-tools.ts";
import { inspectFiles } from "./inspect-files.ts";

const hasSandboxes = findSandboxTools().tools !== undefined && process.getuid?.() === 0;

async function makeFolder(): Promise<string> {
  const above = await mkdtemp(join(tmpdir(), "slipway-inspect-"));
  onTestFinished(() => rm(above, { recursive: true }));
  await chmod(above, 0o711);
  await mkdir(join(above, "copy"), { mode: 0o700 });
  await writeFile(join(above, "copy", "things.txt"), "seven", { mode: 0o600 });
  await writeFile(join(above, "beside.txt"), "not for it", { mode: 0o644 });
  return join(above, "copy");
}

/** The inspection can return only numbers, so 1 means that an attempt succeeded. `tries` may use `fs`, `folder` and `await`. */
const inspectorThat = (tries: string) => `
  import fs from "node:fs";
  import net from "node:net";
  import { join } from "node:path";
  const folder = process.argv[2]!;
  const works = async (act: () => unknown): Promise<number> => { try { await act(); return 1; } catch { return 0; } };
  ${tries}`;
const say = "console.log(JSON.stringify({ workflows, credentials, executions }));";

test("an inspection reads and writes its one folder", async () => {
  const counted = await inspectFiles(
    inspectorThat(`const workflows = fs.readFileSync(join(folder, "things.txt"), "utf8") === "seven" ? 7 : 0;
    const credentials = await works(() => fs.writeFileSync(join(folder, "journal"), "a")), executions = 0; ${say}`),
    await makeFolder(),
  );
  expect(counted).toEqual({ workflows: 7, credentials: 1, executions: 0 });
});

test("an inspection sees nothing else of the host: no network, no neighbouring file, no process", async () => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // Node's own file permissions are bypassed here: a hole in a library would bypass them too.
  const counted = await inspectFiles(
    inspectorThat(`
    const workflows = await works(() => new Promise((resolve, reject) => net.connect(${port}, "127.0.0.1").on("connect", resolve).on("error", reject)));
    const credentials = await works(() => fs.readFileSync(join(folder, "..", "beside.txt")));
    const executions = process.pid;
    ${say}`),
    await makeFolder(),
  );
  expect(counted.credentials).toBe(0);
  if (!hasSandboxes) return;
  expect(counted.workflows).toBe(0);
  // Process ids in its namespace begin at 1.
  expect(counted.executions).toBeLessThan(10);
});

/** Control groups of inspections on this host: this run's and any others'. */
const groups = (): string[] =>
  ["/sys/fs/cgroup/memory/slipway", "/sys/fs/cgroup/slipway"]
    .filter((place) => existsSync(place))
    .flatMap((place) => readdirSync(place))
    .filter((name) => name.startsWith("look"));

test("an inspection that refuses the files says that they are damaged, unless the host's disk was full", async () => {
  const refused = inspectFiles(inspectorThat('throw new Error("there is no database in it");'), await makeFolder());
  await expect(refused).rejects.toMatchObject({ code: "damaged", message: expect.stringContaining("there is no database in it") });
  const full = inspectFiles(inspectorThat('throw new Error("database or disk is full");'), await makeFolder());
  await expect(full).rejects.toMatchObject({ code: "uninspected" });
});

test("an inspection that allocates without end is killed alone, and its control group is removed", async () => {
  const before = groups();
  const taken = inspectFiles(inspectorThat("const all = []; for (;;) all.push(Buffer.alloc(64 * 1024 * 1024, 1));"), await makeFolder());
  // That says nothing about the files.
  await expect(taken).rejects.toMatchObject({ code: "uninspected" });
  // Groups of other inspections may be among them; those are removed, too.
  const left = groups().filter((name) => !before.includes(name));
  await expect.poll(() => groups().filter((name) => left.includes(name))).toEqual([]);
});

/** The launcher as a process of this host, run from a folder that contains only what an image has of it. */
import { execFile } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { RunSpec } from "../driver.ts";
import { containerUser, dataFolder, enginesInImage, launcherFiles, nodeInImage } from "./image-places.ts";
import { launchOrder, type LaunchOrder } from "./launch-order.ts";

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((each) => rm(each, { recursive: true, force: true }))));

const isRoot = process.getuid!() === 0;
const says = `process.stdout.write(JSON.stringify({ env: process.env, args: process.argv.slice(1), folder: process.cwd(), umask: process.umask() }))`;

const spec: RunSpec = {
  workspaceId: "w-1",
  workspaceNumber: 1,
  run: true,
  generation: 1,
  command: ["/host/node/bin/node", "-e", "…"],
  env: { PORT: "{{port.http}}", HOME: "{{folder}}", READY: "{{ready}}" },
  files: [{ path: "settings/one.json", content: "{{address}}:{{port.broker}}", mode: 0o640 }],
  ports: ["http", "broker"],
  memoryMb: 256,
  stopTimeoutMs: 1_000,
};

async function makeContainer(): Promise<{ launcher: string; data: string }> {
  const root = await mkdtemp(join(tmpdir(), "slipway-launcher-"));
  folders.push(root);
  await chmod(root, 0o755);
  for (const file of launcherFiles) await cp(join(import.meta.dirname, "..", file), join(root, "drivers", file));
  const data = join(root, "data");
  await mkdir(data);
  if (isRoot) await chown(data, containerUser, containerUser);
  return { launcher: join(root, "drivers", launcherFiles[0]), data };
}

function launch(
  { launcher, data }: { launcher: string; data: string },
  order: string,
  { file = "-", uid = isRoot ? containerUser : undefined }: { file?: string; uid?: number | undefined } = {},
): Promise<{ code: number; output: string; trouble: string }> {
  return new Promise((resolve) => {
    const options = { env: { KUBERNETES_SERVICE_HOST: "10.0.0.1" }, ...(uid !== undefined && { uid, gid: uid }) };
    const child = execFile(process.execPath, [launcher, file, data], options, (error, output, trouble) =>
      resolve({ code: error ? Number(error.code) : 0, output, trouble }),
    );
    child.stdin!.on("error", () => undefined).end(order);
  });
}

const orderFor = (change: Partial<LaunchOrder> = {}): LaunchOrder => ({
  ...launchOrder(spec, { enginesDir: "/host/engines", nodeBinary: "/host/node/bin/node" }, Buffer.alloc(32, 1)),
  command: [process.execPath, "-e", says, "{{address}}", "ü {{other}}"],
  ...change,
});

test("a launched tool has the ordered environment and no other, its folder, files and address", async () => {
  const container = await makeContainer();
  const { code, output, trouble } = await launch(container, `${JSON.stringify(orderFor())}\n`);
  expect({ code, trouble }).toEqual({ code: 0, trouble: "" });
  const said = JSON.parse(output) as { env: object; args: string[]; folder: string; umask: number };
  expect(said).toMatchObject({ env: { PORT: "5678", HOME: container.data, READY: "" }, folder: container.data, umask: 0o077 });
  expect(Object.keys(said.env)).toEqual(["PORT", "HOME", "READY"]);
  expect(said.args).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$|:/), "ü {{other}}"]);
  expect(said.args[0]).not.toMatch(/^127\./);
  const file = join(container.data, "settings/one.json");
  expect(await readFile(file, "utf8")).toBe(`${said.args[0]}:5679`);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
});

test("an order in a file is launched too, and what must be absent is gone", async () => {
  const container = await makeContainer();
  const file = join(dirname(container.data), "order");
  await writeFile(file, JSON.stringify(orderFor({ absent: ["left"] })));
  await mkdir(join(container.data, "left"));
  if (isRoot) await chown(join(container.data, "left"), containerUser, containerUser);
  expect((await launch(container, "", { file })).code).toBe(0);
  await expect(stat(join(container.data, "left"))).rejects.toThrow("ENOENT");
});

test("an incomplete order, a missing tool, one that cannot prove its id and root are refused with a reason", async () => {
  const container = await makeContainer();
  const half = await launch(container, JSON.stringify(orderFor()).slice(0, 100));
  expect(half).toMatchObject({ code: 78, trouble: expect.stringContaining("ended before it sent the whole order") });
  const missing = await launch(container, `${JSON.stringify(orderFor({ command: ["/missing"] }))}\n`);
  expect(missing).toMatchObject({ code: 78, trouble: expect.stringContaining("/missing") });
  const shell = await launch(container, `${JSON.stringify(orderFor({ command: ["/bin/sh", "-c", "echo launched"] }))}\n`);
  expect(shell).toMatchObject({ code: 78, output: "", trouble: expect.stringContaining("/bin/sh is not Node, and could not prove") });
  if (!isRoot) return;
  const asRoot = await launch(container, `${JSON.stringify(orderFor())}\n`, { uid: 0 });
  expect(asRoot).toMatchObject({ code: 78, trouble: expect.stringContaining("must not run as root") });
});

test("paths of the host become those in the image, also in a PATH and in a file: URL", () => {
  const host = { enginesDir: "/srv/my engines", nodeBinary: "/usr/lib/node/bin/node" };
  const order = launchOrder(
    {
      ...spec,
      command: [host.nodeBinary, "--import=file:///srv/my%20engines/hooks/1/x.mts", `${host.enginesDir}/n8n-2.40.7/n8n`],
      env: { PATH: "/usr/lib/node/bin:/usr/bin", ELSE: "/srv/my engines-other/x /usr/lib/node/binary" },
    },
    host,
    Buffer.alloc(32, 1),
  );
  expect(order.command).toEqual([nodeInImage, `--import=file://${enginesInImage}/hooks/1/x.mts`, `${enginesInImage}/n8n-2.40.7/n8n`]);
  expect(order.env).toEqual({ PATH: "/usr/local/bin:/usr/bin", ELSE: "/srv/my engines-other/x /usr/lib/node/binary" });
  expect(dataFolder).toBe("/data");
});

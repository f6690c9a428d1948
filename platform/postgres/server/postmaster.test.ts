import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchPostmaster } from "./postmaster.ts";

test("a system without /proc starts a process to prove a postmaster once, not at every look, and its end is seen at the next", async () => {
  const cluster = mkdtempSync(join(tmpdir(), "slipway-postmaster-"));
  onTestFinished(() => rmSync(cluster, { recursive: true }));
  const asked = join(cluster, "asked");
  writeFileSync(join(cluster, "ps"), `#!/bin/sh\necho "$@" >> '${asked}'\necho "postgres -D ${cluster}"\n`);
  chmodSync(join(cluster, "ps"), 0o755);
  vi.stubEnv("PATH", `${cluster}${delimiter}${process.env["PATH"]}`);
  const platform = vi.spyOn(process, "platform", "get").mockReturnValue("darwin");
  onTestFinished(() => {
    platform.mockRestore();
    vi.unstubAllEnvs();
  });
  const server = spawn("sleep", ["60"]);
  onTestFinished(() => void server.kill("SIGKILL"));
  const isThere = watchPostmaster(cluster);
  expect(isThere()).toBe(false);
  writeFileSync(join(cluster, "postmaster.pid"), `${server.pid}\n`);
  for (let look = 0; look < 5; look += 1) expect(isThere()).toBe(true);
  expect(readFileSync(asked, "utf8").trim().split("\n")).toEqual([`-o command= -p ${server.pid}`]);
  server.kill("SIGKILL");
  await once(server, "exit");
  rmSync(join(cluster, "ps"));
  writeFileSync(join(cluster, "ps"), "#!/bin/sh\n", { mode: 0o755 });
  expect(isThere()).toBe(false);
});

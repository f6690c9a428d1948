/** The real program on its own data folder, with a signed-in customer, for measurements. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { ask, type Answer } from "#testing/ask.ts";
import { signUp, type Customer } from "./sign-up.ts";
import { until } from "./until.ts";
import { serverEnvironment, serverFlags } from "../../process/server-flags.mjs";

export interface Panel {
  url: string;
  port: number;
  pid: number;
  dataDir: string;
  token: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  instance(): Promise<Instance>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("../../../apps/main.ts", import.meta.url));

/** Starts it, registers and confirms one customer. `stop` ends it with its workspaces and deletes the folder. */
export async function startPanel(port: number, env: Record<string, string>): Promise<Panel> {
  const dataDir = await mkdtemp(join(tmpdir(), "slipway-bench-"));
  // Workspaces run as separate users: without access to this folder they would run without sandboxes, and the figures would lack their
  // cost.
  await chmod(dataDir, 0o711);
  const url = `http://localhost:${port}`;
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: url,
    LOG_LEVEL: "error",
    CALLS_PER_MINUTE: "100000000",
    CHALLENGE: "off",
    // No pool and no zram: blanks would be made during the measurement, and a launch would take one; added swap would stay. The measurement
    // of the pool has both.
    WORKSPACE_POOL: "0",
    WORKSPACE_ZRAM_MB: "0",
    ...env,
  };
  const child = spawn(process.execPath, [...serverFlags, program], {
    env: { ...process.env, ...serverEnvironment, ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill("SIGINT");
      await once(child, "exit");
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  let customer: Customer;
  try {
    await until(async () => (await ask(`${url}/readyz`)).status === 200);
    customer = await signUp(url, "bench-works");
  } catch (error) {
    await stop();
    throw error;
  }
  const { token, call } = customer;
  return {
    url,
    port,
    pid: child.pid!,
    dataDir,
    token,
    call,
    instance: async () => (await call("GET", "/api/instance")).json<Instance>(),
    stop,
  };
}

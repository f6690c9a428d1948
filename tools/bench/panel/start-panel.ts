/** The real program on its own data folder, with a signed-in customer, for measurements. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { ask, type Answer } from "#testing/ask.ts";
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

const readyTimeoutMs = 120_000;
const program = fileURLToPath(new URL("../../../apps/main.ts", import.meta.url));

/** Starts it, registers and confirms one customer. `stop` ends it with its workspaces and deletes the folder. */
export async function startPanel(port: number, env: Record<string, string>): Promise<Panel> {
  const dataDir = await mkdtemp(join(tmpdir(), "slipway-bench-"));
  // Workspaces run as separate users: without access to this folder they would run without sandboxes, and the figures would lack their cost.
  await chmod(dataDir, 0o711);
  const url = `http://localhost:${port}`;
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: url,
    LOG_LEVEL: "error",
    CALLS_PER_MINUTE: "100000000",
    CHALLENGE: "off",
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
  const token: { value?: string } = {};
  const call = (method: string, path: string, body?: unknown) =>
    ask(url + path, { method, body, headers: { origin: url, ...(token.value ? { cookie: `token=${token.value}` } : {}) } });
  try {
    await until(async () => (await call("GET", "/readyz")).status === 200);
    const email = "ada@example.com";
    const form = buildRegistration({ accountName: "bench-works", email, emailConfirmation: email });
    const registered = await call("POST", "/api/auth/register", form);
    if (registered.status !== 201) throw new Error(`registering failed: ${registered.text}`);
    token.value = registered.json<{ token: string }>().token;
    let link: string | undefined;
    await until(async () =>
      Boolean((link = (await call("GET", "/api/dev/inbox")).json<{ messages: { links: string[] }[] }>().messages[0]?.links[0])),
    );
    await call("POST", "/api/auth/confirm-email", { token: new URL(link!).searchParams.get("token") });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    port,
    pid: child.pid!,
    dataDir,
    token: token.value!,
    call,
    instance: async () => (await call("GET", "/api/instance")).json<Instance>(),
    stop,
  };
}

/** Waits until it is true; an error counts as "not yet". */
export async function until(check: () => Promise<boolean>, everyMs = 100): Promise<void> {
  const deadlineMs = performance.now() + readyTimeoutMs;
  while (!(await check().catch(() => false))) {
    if (performance.now() > deadlineMs) throw new Error("this took longer than two minutes");
    await sleep(everyMs);
  }
}

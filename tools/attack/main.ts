/** `npm run attack`: the attacks of attack.engine.test.ts against two real tenants, with a table of results. Exits with 1 on harm. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printTable } from "./table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "slipway-attack-"));
const file = join(folder, "table");
try {
  writeFileSync(file, "");
  const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", "tools/attack/", ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, SLIPWAY_ATTACK_TABLE: file }, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>((resolve) => child.once("exit", (ended) => resolve(ended ?? 1)));
  process.stdout.write(`\n${printTable(readFileSync(file, "utf8"))}\n`);
  process.exitCode = code;
} finally {
  rmSync(folder, { recursive: true });
}

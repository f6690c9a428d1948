/**
 * Runs a program and ends it, with everything it started, when our standard input closes: npm must not keep writing after the process that
 * wanted it was killed. Must be the leader of its process group. SIGTERM is passed on only to the program. Also runs on the Node that starts
 * the tools.
 */
import { spawn } from "node:child_process";

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
child.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on("exit", (code) => process.exit(code ?? 1));

process.on("SIGTERM", () => child.kill("SIGTERM"));

const endGroup = () => process.kill(-process.pid, "SIGKILL");
process.stdin.on("end", endGroup).on("error", endGroup).resume();

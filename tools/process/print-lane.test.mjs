import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Runs a shell script as a lane, in a process that has nothing else to do. */
function runLane(script) {
  const printer = `
    import { spawn } from "node:child_process";
    import { printLane } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "print-lane.mjs")).href)};
    await printLane(spawn("/bin/sh", ["-c", ${JSON.stringify(script)}], { stdio: ["ignore", "pipe", "pipe"] }), { waitMs: 200 });`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", printer], { encoding: "utf8", timeout: 20_000 });
}

test("what a lane printed is printed, its report last", () => {
  const { status, stdout } = runLane("echo first; echo '⎯⎯⎯ Failed Tests 1 ⎯⎯⎯'; echo why; printf 'no line end'");
  expect({ status, lines: stdout.split("\n") }).toEqual({
    status: 0,
    lines: ["first", "⎯⎯⎯ Failed Tests 1 ⎯⎯⎯", "why", "no line end", ""],
  });
});

test("a process that a lane left running does not keep the run from ending", () => {
  const { status, stdout, error } = runLane("sleep 60 & echo $!");
  process.kill(Number(stdout), "SIGKILL");
  expect({ status, error }).toEqual({ status: 0, error: undefined });
});

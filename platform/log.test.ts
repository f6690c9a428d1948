import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createLog, linesWritten } from "./log.ts";
import { asWork } from "./tracing/current-work.ts";

const module = JSON.stringify(pathToFileURL(join(import.meta.dirname, "log.ts")).href);

/** A process that logs to a pipe, which only the test reads. */
function logging(script: string) {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", `import { createLog, linesWritten } from ${module}; const log = createLog("info"); ${script}`],
    { stdio: ["pipe", "pipe", "pipe"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("awaited lines are out, even if the process is killed in the same moment", async () => {
  const child = logging(
    `for (let n = 0; n < 500; n++) log.info({ n }, "line"); await linesWritten(log, 5000); process.kill(process.pid, "SIGKILL");`,
  );
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(child, "close");
  expect(
    said
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { n: number }).n),
  ).toEqual(Array.from({ length: 500 }, (_, n) => n));
});

test("lines that are not read are awaited only for a limited time, and the process continues", async () => {
  // Far more than a pipe holds, and the test does not read it.
  const child = logging(
    `for (let n = 0; n < 3000; n++) log.info({ n, long: "x".repeat(1000) }, "line"); await linesWritten(log, 200).catch((error) => process.stderr.write(error.message)); process.stderr.write(" on"); process.kill(process.pid, "SIGKILL");`,
  );
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(child, "exit");
  // The process may end before its last words are read.
  await expect.poll(() => said).toBe("standard output has taken no line for 200 ms on");
});

test("with no lines pending there is no wait", async () => {
  await linesWritten(createLog("silent"), 1);
  await linesWritten(createLog("info", undefined, { write: () => undefined }), 1);
  await linesWritten(createLog("silent").child({}), 1);
});

test("a line has the ids of the work that writes it, also after awaits, and no others", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", undefined, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const request = log.child({ requestId: "r" });
  await Promise.all([
    asWork({ workspaceId: "w" }, null, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.info({ n: 1 }, "one");
    }),
    asWork({ requestId: "r" }, null, async () => {
      log.info("two");
      request.info("three");
    }),
  ]);
  log.info("four");
  const ids = lines.map(({ msg, requestId, workspaceId }) => ({ msg, requestId, workspaceId }));
  expect(ids.toSorted((one, other) => String(one.msg).localeCompare(String(other.msg)))).toEqual([
    { msg: "four", requestId: undefined, workspaceId: undefined },
    { msg: "one", requestId: undefined, workspaceId: "w" },
    { msg: "three", requestId: "r", workspaceId: undefined },
    { msg: "two", requestId: "r", workspaceId: undefined },
  ]);
});

test("a line of a request names it once, by its own logger or by the work's", () => {
  const written: string[] = [];
  const log = createLog("info", undefined, { write: (line) => void written.push(line) });
  asWork({ requestId: "r" }, null, () => log.child({ requestId: "r" }).info("a line"));
  expect(written[0]!.match(/"requestId"/g)).toHaveLength(1);
});

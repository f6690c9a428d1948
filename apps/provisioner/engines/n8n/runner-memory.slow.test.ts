/** The limit of the code runner's own memory, with a small program in its place. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { hasMemoryGroups, makeMemoryGroup } from "#testing/engines/memory-group.ts";

const limit = pathToFileURL(join(import.meta.dirname, "workspace-side", "code-runner", "limit-memory.mts")).href;

/** Takes memory, as files or as objects, until it gets no more; ends with code 3 if a file was refused. */
const runner = `
import { writeFileSync } from "node:fs";
import { limitMemory } from "${limit}";
const [moreMb, kind] = process.argv.slice(2);
writeFileSync("/proc/self/oom_score_adj", "1000");
const why = limitMemory(Number(moreMb));
if (why !== undefined) throw new Error(why);
const kept = [];
const take = () => {
  if (kind === "files") {
    try {
      kept.push(Buffer.alloc(10 * 1024 * 1024, 7));
    } catch {
      process.exit(3);
    }
  } else {
    kept.push(Array.from({ length: 100_000 }, (_, index) => ({ index })));
  }
  setImmediate(take);
};
take();
`;

/** Uses fresh memory all the time, as n8n does with its messages, while it starts runners one after the other. Prints how each ended. */
const main = `
import { spawn } from "node:child_process";
import { once } from "node:events";
const [runner, moreMb, runs] = process.argv.slice(2);
let last;
const use = () => {
  last = Buffer.alloc(15 * 1024 * 1024, 7);
  setImmediate(use);
};
use();
const ends = [];
for (let run = 0; run < Number(runs); run += 1) {
  const kind = run % 5 === 4 ? "objects" : "files";
  const child = spawn(process.execPath, ["--max-old-space-size=1024", runner, moreMb, kind], { stdio: "ignore" });
  const [code, signal] = await once(child, "exit");
  ends.push(kind + " " + (signal ?? code));
}
console.log(JSON.stringify(ends));
process.exit(0);
`;

test.runIf(hasMemoryGroups)(
  "twenty runners that take all the memory they get are refused more or end alone: the kernel kills neither them nor the main process",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-runner-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [name, program] of Object.entries({ main, runner })) writeFileSync(join(folder, `${name}.mjs`), program);
    const group = makeMemoryGroup(384);
    const command = [process.execPath, join(folder, "main.mjs"), join(folder, "runner.mjs"), "80", "20"];
    const [program, ...args] = [...group.enter, ...command];
    const child = spawn(program!, args, { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    child.stdout.on("data", (text: Buffer) => (printed += String(text)));
    const ended = await once(child, "close");
    expect({ ended, kills: group.kills() }).toEqual({ ended: [0, null], kills: 0 });
    const ends = JSON.parse(printed) as string[];
    expect(ends).toHaveLength(20);
    // A file is refused, unless the heap needs memory first; a heap that cannot grow ends the process, by a signal that depends on the system.
    for (const [run, end] of ends.entries())
      expect(end).toMatch(run % 5 === 4 ? /^objects SIG(ABRT|TRAP)$/ : /^files (3|SIGABRT|SIGTRAP)$/);
  },
  600_000,
);

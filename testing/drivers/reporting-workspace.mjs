/** A small workspace for tests of the process driver: reports what it sees, stores what it is given, and misbehaves on request. */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";

const [, address, port, , ...more] = process.argv.slice(2);
const grandchildren = [];
// Process ids start over in each sandbox.
const instance = randomUUID();

const acts = {
  "/report": () => ({
    instance,
    pid: process.pid,
    args: process.argv.slice(2),
    env: process.env,
    folder: process.cwd(),
    uid: process.getuid(),
    gid: process.getgid(),
    groups: process.getgroups(),
    grandchildren,
  }),
  "/read": ({ path }) => ({ content: readFileSync(path, "utf8"), mode: statSync(path).mode & 0o777 }),
  "/write": ({ path, content }) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  },
  "/print": ({ text, times }) => void process.stdout.write(text.repeat(times)),
  // In a separate process: unread output fills the pipe, and the writer waits.
  "/say-ready": ({ times }) => {
    const script = `require("fs").writeSync(3, "ready\\n".repeat(${times}))`;
    spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "ignore", Number(process.env.READY)] });
  },
  "/run": ({ script }) => {
    const { stdout, stderr, status } = spawnSync("/bin/sh", ["-c", script], { encoding: "utf8", timeout: 30_000 });
    return { output: stdout + stderr, code: status };
  },
  "/connect": ({ host, port: to }) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port: to, timeout: 3_000 }, () => resolve({ connected: true })).on("error", reject);
      socket.on("timeout", () => reject(Object.assign(new Error("timeout"), { code: "ETIMEDOUT" })));
    }),
  "/eat": () =>
    void setTimeout(() => {
      for (const eaten = []; ;) eaten.push(Buffer.alloc(16 * 1024 * 1024, 1));
    }, 10),
  "/exit": ({ code }) => void setTimeout(() => process.exit(code), 10),
};

if (more.includes("stubborn")) process.on("SIGTERM", () => undefined);
// One in the session and one that leaves it, as daemons do.
if (more.includes("family"))
  for (const detached of [false, true])
    grandchildren.push(spawn("/bin/sh", ["-c", "trap '' TERM; while :; do sleep 1; done"], { detached, stdio: "ignore" }).pid);

createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString() || "{}");
  try {
    response.end(JSON.stringify((await acts[request.url](body)) ?? {}));
  } catch (error) {
    response.writeHead(500).end(JSON.stringify({ error: error.code ?? String(error) }));
  }
}).listen(Number(port), address, () => console.log(`started ${instance}`));

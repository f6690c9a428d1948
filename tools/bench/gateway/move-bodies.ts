/** Moves large bodies through a server in each direction and measures how much memory this takes. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { memoryOf } from "./report-memory.ts";

const megabyte = 1024 * 1024;
const block = Buffer.alloc(64 * 1024, "x");

export interface Moved {
  /** The server's peak resident memory while bodies of 100 MB pass, in bytes; null if the system does not report it. */
  most: number | null;
  /** The same with bodies of 400 MB. */
  mostOfLarger: number | null;
  downMs: number;
  upMs: number;
}

/** Bodies of 100 MB down and up, and then of 400 MB. Throws if a transfer is incomplete. */
export async function moveBodies(server: ChildProcess, port: number): Promise<Moved> {
  // Once without measuring: the first transfer takes memory that all later ones share.
  await down(port, 100 * megabyte);
  await up(port, 100 * megabyte);
  const isKnown = await forgetMost(server);
  const startMs = performance.now();
  await down(port, 100 * megabyte);
  const downAtMs = performance.now();
  await up(port, 100 * megabyte);
  const endMs = performance.now();
  const most = isKnown ? await mostResident(server.pid!) : null;
  await forgetMost(server);
  await down(port, 400 * megabyte);
  await up(port, 400 * megabyte);
  const mostOfLarger = isKnown ? await mostResident(server.pid!) : null;
  return { most, mostOfLarger, downMs: downAtMs - startMs, upMs: endMs - downAtMs };
}

const ask = (port: number, method: string, path: string, length: number) =>
  request({ port, host: "127.0.0.1", method, path, agent: false, headers: { host: "bench.localhost", "content-length": length } });

async function down(port: number, bytes: number): Promise<void> {
  const req = ask(port, "GET", `/large?bytes=${bytes}`, 0).end();
  const [res] = (await once(req, "response")) as [IncomingMessage];
  let received = 0;
  for await (const chunk of res) received += (chunk as Buffer).length;
  if (received !== bytes) throw new Error(`${received} of ${bytes} bytes came down`);
}

async function up(port: number, bytes: number): Promise<void> {
  const req = ask(port, "POST", "/", bytes);
  const answered = once(req, "response");
  for (let sent = 0; sent < bytes; sent += block.length) if (!req.write(block)) await once(req, "drain");
  req.end();
  const [res] = (await answered) as [IncomingMessage];
  if (res.resume().statusCode !== 200) throw new Error(`the upload was answered with ${res.statusCode}`);
}

/** Makes Linux restart its record of the peak resident memory, without the garbage so far; false if it cannot. */
async function forgetMost(server: ChildProcess): Promise<boolean> {
  await memoryOf(server);
  return writeFile(`/proc/${server.pid}/clear_refs`, "5").then(
    () => true,
    () => false,
  );
}

async function mostResident(pid: number): Promise<number> {
  const [, kb] = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))!;
  return Number(kb) * 1024;
}

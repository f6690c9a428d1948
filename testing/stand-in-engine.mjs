/**
 * What runs as a workspace where a test is about the control plane and not about n8n: a real process that starts in a
 * fraction of a second and keeps n8n's promises to the control plane. Installed by start-slipway.ts in n8n's place.
 */
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const { N8N_PORT, N8N_LISTEN_ADDRESS, N8N_USER_FOLDER } = process.env;
/** Long enough for a test to act in the middle of it. */
const bootMs = 300;

const ownerFile = join(N8N_USER_FOLDER, "owner");
appendFileSync(join(N8N_USER_FOLDER, "boots"), `${process.pid}\n`);
console.log("stand-in engine boots");
await delay(bootMs);

async function answer(req, res) {
  let body = "";
  for await (const chunk of req) body += chunk;
  const { pathname } = new URL(req.url, "http://localhost");
  if (pathname.startsWith("/healthz")) return res.end("ok");
  if (pathname === "/_slipway/owner") {
    if (!existsSync(ownerFile)) writeFileSync(ownerFile, body);
    return res.end("{}");
  }
  res.setHeader("content-type", "application/json");
  res.end(JSON.stringify({ pid: process.pid, method: req.method, path: req.url, body, hasOwner: existsSync(ownerFile) }));
}

createServer((req, res) => void answer(req, res)).listen(Number(N8N_PORT), N8N_LISTEN_ADDRESS);
process.on("SIGTERM", () => process.exit(0));

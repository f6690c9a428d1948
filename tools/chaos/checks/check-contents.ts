/** Whether workspaces and backups contain what was put into them. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { request } from "node:http";
import { extract } from "tar-stream";
import type { Lane } from "../lane.ts";
import type { Tenant } from "../tenant.ts";

/** Violations in the workspace: its marker, and each webhook as often as its sender was answered. */
export async function checkWorkspace({ slipway, hands }: Lane, tenant: Tenant): Promise<string[]> {
  if (!tenant.exists || tenant.marker === null) return [];
  const { accountName } = tenant.customer;
  const marker = await hands.read(slipway, tenant.customer);
  const violations = marker === tenant.marker ? [] : [`${accountName}: it holds ${marker}, and should hold ${tenant.marker}`];
  if (tenant.letters.size === 0) return violations;
  const arrived = await hands.received(slipway, tenant.customer);
  if (!arrived) return violations;
  for (const [id, { letter, fate }] of tenant.letters) {
    const mine = arrived.filter((each) => each.id === id);
    const isRight = mine.length === 1 ? fate !== "refused" : mine.length === 0 && fate !== "answered";
    if (!isRight) violations.push(`${accountName}: webhook ${id}, ${fate}, arrived ${mine.length} times`);
    if (mine.some(({ text }) => text !== letter.text)) violations.push(`${accountName}: webhook ${id} arrived otherwise than it was sent`);
  }
  return violations;
}

/** Opens every successful backup that was not opened yet; `held` is the marker at the time it was made. */
export async function checkNewBackups(lane: Lane, tenant: Tenant, held: string | null): Promise<string[]> {
  const { token, accountName } = tenant.customer;
  const { backups } = (await lane.slipway.call("GET", "/api/export", { token })).json<{
    backups: { id: string; state: string; isOfThisWorkspace: boolean }[];
  }>();
  const violations: string[] = [];
  for (const { id } of backups.filter(({ state, id: each }) => state === "successful" && !tenant.backups.has(each))) {
    const problem = await openBackup(lane, tenant, id, held).catch((error: unknown) => `it cannot be opened: ${String(error)}`);
    if (problem) violations.push(`${accountName}: backup ${id}: ${problem}`);
    else tenant.backups.set(id, held);
  }
  return violations;
}

/** What is wrong with it. */
async function openBackup({ slipway, hands }: Lane, { customer }: Tenant, id: string, held: string | null): Promise<string | undefined> {
  const { token, password } = customer;
  const link = await slipway.call("POST", `/api/export/backups/${id}/download`, { token, body: { password } });
  if (link.status !== 200) throw new Error(`no link: ${link.status} ${link.text}`);
  const files = await unpack(new URL(link.json<{ url: string }>().url, slipway.url), token);
  if (!files.has("slipway-backup.json")) return "it does not say what it is";
  const marked = hands.markedFile;
  if (marked === null || held === null) return undefined;
  return files.get(marked)?.includes(JSON.stringify(held)) ? undefined : `it does not hold ${held}`;
}

async function unpack(url: URL, token: string): Promise<Map<string, string>> {
  const answer = await new Promise<Readable>((resolve, reject) => {
    request(
      {
        host: "127.0.0.1",
        port: url.port,
        path: url.pathname + url.search,
        headers: { host: url.host, cookie: `token=${token}` },
        agent: false,
      },
      (res) => (res.statusCode === 200 ? resolve(res) : reject(new Error(`answered ${res.statusCode}`))),
    )
      .once("error", reject)
      .end();
  });
  const files = new Map<string, string>();
  const archive = extract();
  archive.on("entry", (header, content, next) => {
    const chunks: Buffer[] = [];
    content
      .on("data", (chunk) => chunks.push(chunk as Buffer))
      .once("end", () => {
        files.set(header.name, Buffer.concat(chunks).toString("utf8"));
        next();
      });
  });
  await pipeline(answer, createGunzip(), archive);
  return files;
}

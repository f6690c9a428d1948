/** Attacks on a workspace that is kept ready for the next customer: it runs, holds secrets, and has no owner who would notice. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { workspacePaths } from "#apps/provisioner/drivers/process/storage/workspace-paths.ts";
import { ask } from "#testing/ask.ts";
import { openRows } from "../../chaos/checks/rows.ts";
import { words, type Attack } from "../attack.ts";
import { eventually } from "../scene/eventually.ts";
import { n8nOf } from "../scene/host-view.ts";
import { openInside } from "../scene/open-inside.ts";
import type { Scene } from "../scene/scene.ts";
import { attackersMaterial, forgeries } from "./forge.ts";
import { connect, listeningPorts } from "./reach-others.ts";

interface Blank {
  id: string;
  folder: string;
  uid: number;
  /** Of its n8n. */
  pid: number;
}

/** Resolves once its n8n listens; null on a host that keeps none. */
async function findBlank({ slipway }: Scene): Promise<Blank | null> {
  if (slipway.output().includes("no workspaces are kept ready")) return null;
  const rows = openRows(slipway.dataDir);
  return eventually(
    "a workspace that is kept ready",
    async () => {
      const [row] = await rows.ask<{ id: string }>("select id from blanks order by created_at desc limit 1");
      if (!row) return undefined;
      const { data: folder } = workspacePaths(join(slipway.dataDir, "workspaces"), row.id);
      const uid = statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
      const pid = uid > 0 ? n8nOf(uid)?.pid : undefined;
      return pid !== undefined && listeningPorts(pid, uid).length > 0 ? { id: row.id, folder, uid, pid } : undefined;
    },
    100_000,
    500,
  );
}

/** Its files and its processes, from inside the attacker's workspace. */
async function look(scene: Scene, { id, folder, pid }: Blank): Promise<Tried> {
  const { record, ports, outputs } = workspacePaths(join(scene.slipway.dataDir, "workspaces"), id);
  const files = [join(folder, ".n8n/database.sqlite"), join(folder, ".n8n/config"), record, ports, outputs[0]];
  const opened = await openInside(scene, files, "r");
  const seen = (await scene.script("return require('node:fs').readdirSync('/proc')")) as string[];
  return {
    answers: opened.map(({ code }) => code),
    harms: [
      ...opened.filter(({ isHosts }) => isHosts).map(({ path }) => `${path} was opened`),
      ...(seen.includes(String(pid)) ? ["its process is seen in /proc"] : []),
    ],
  };
}

/** What listens in it, past the gateway. */
async function reach(scene: Scene, { id, pid, uid }: Blank): Promise<Tried> {
  const { address = "" } = await scene.driver.observe(id);
  const host = address.replace(/:\d+$/, "");
  const found = await connect(
    scene,
    listeningPorts(pid, uid).map((port) => [host, port] as const),
  );
  return {
    answers: found.map(({ answer }) => answer),
    harms: found.filter(({ answer }) => answer === "connected").map(({ place }) => `it reached ${place}`),
  };
}

/** Claims of it, under every name that it might have, and a second one of the attacker's own workspace. */
async function claim(scene: Scene, { id }: Blank): Promise<Tried> {
  const { genuine, publicKey } = await attackersMaterial(scene);
  const { slipway, attacker } = scene;
  const targets = [
    [slipway.workspaceUrl(id), id],
    [slipway.workspaceUrl("blank"), id],
    [attacker.url, attacker.workspaceId],
  ] as const;
  const body = { publicUrl: attacker.url, timezone: "Etc/UTC" };
  const tried = await Promise.all(
    targets.flatMap(([url, workspaceId]) =>
      [...forgeries(workspaceId, "claim", genuine, publicKey)].map(async ([kind, token]) => {
        const { status } = await ask(`${url}/_slipway/claim`, { method: "POST", headers: { authorization: `Bearer ${token}` }, body });
        return { name: `${url}, ${kind}`, status };
      }),
    ),
  );
  return {
    answers: tried.map(({ status }) => String(status)),
    harms: tried.filter(({ status }) => ![400, 401, 403, 404].includes(status)).map(({ name }) => `a claim was believed: ${name}`),
  };
}

/** Launches again, many times simultaneously, although the account has a workspace. */
async function launchAgain({ slipway, attacker }: Scene, { id }: Blank): Promise<Tried> {
  const { token } = attacker.customer;
  const launches = ["/api/account/setup", "/api/instance"].flatMap((path) =>
    Array.from({ length: 10 }, () => slipway.call("POST", path, { token, body: { timezone: "Etc/UTC" } })),
  );
  const statuses = (await Promise.all(launches)).map(({ status }) => String(status));
  const taken = await openRows(slipway.dataDir).ask("select 1 from workspaces where id = $1", [id]);
  return { answers: statuses, harms: taken.length > 0 ? ["it was taken by a customer who has one"] : [] };
}

interface Tried {
  answers: readonly string[];
  harms: readonly string[];
}

export const takeBlank: readonly Attack[] = [
  {
    title: "reads, reaches and claims a workspace that is kept ready for the next customer",
    means: "code in n8n, self-made tokens, its own session",
    async run(scene) {
      const blank = await findBlank(scene);
      if (blank === null) return { stoppedBy: "this host keeps none ready", harms: [] };
      const tried = [await look(scene, blank), await reach(scene, blank), await claim(scene, blank), await launchAgain(scene, blank)];
      return { stoppedBy: words(tried.flatMap(({ answers }) => answers)), harms: tried.flatMap(({ harms }) => harms) };
    },
  },
];

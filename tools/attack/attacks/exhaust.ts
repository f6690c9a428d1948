/**
 * Exhausting resources: processes, processor, memory, disk. Each attack ends after a time, so that a host without limits survives the test.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { workspacePaths } from "#apps/provisioner/drivers/process/storage/workspace-paths.ts";
import { words, type Attack, type Outcome } from "../attack.ts";
import { allocatedIn, freeAt, processesOf, residentMb, sharedMemoryMb } from "../scene/host-view.ts";
import { measureLatency } from "../latency.ts";
import type { Scene } from "../scene/scene.ts";

const lastsSeconds = 6;
/** Twice the quiet latency. */
const mostRatio = 2;
const mb = 1024 * 1024;

/** A shell command that ends with all its children after the time. */
const forAWhile = (script: string, seconds = lastsSeconds): string => `timeout -s KILL ${seconds} ${script}`;
const node = (script: string): string => `node -e '${script}'`;
/** The same command several times in parallel, and a wait for all of them. */
function inSessions(count: number, script: string): string {
  return `n=0; while [ $n -lt ${count} ]; do setsid ${forAWhile(script)} >/dev/null 2>&1 & n=$((n + 1)); done; sleep ${lastsSeconds}`;
}

/** Other tests run in parallel: so many high ratios in a row are hardly ever a coincidence. */
const mostTries = 4;

/**
 * Measures the neighbour during the attack; a high ratio is measured again, because a busy machine is slow by chance, but an attack slows
 * it every time.
 */
async function underAttack(scene: Scene, attack: () => Promise<unknown>, look: () => void): Promise<Pick<Outcome, "latency" | "harms">> {
  let latency = await measureLatency(scene, attack, look);
  for (let tries = 1; latency.ratio > mostRatio && tries < mostTries; tries += 1) {
    const again = await measureLatency(scene, attack, look);
    if (again.ratio < latency.ratio) latency = again;
  }
  return { latency, harms: latency.ratio > mostRatio ? [`the neighbour is ${latency.ratio.toFixed(1)} times as slow as usual`] : [] };
}

/** The largest of many values. */
function maximum(): { note(value: number): void; value(): number } {
  let most = 0;
  return { note: (value) => void (most = Math.max(most, value)), value: () => most };
}

export const tasksOf = (uid: number): number => processesOf(uid).reduce((sum, { threads }) => sum + threads, 0);
const memoryOf = (uid: number): number => processesOf(uid).reduce((sum, { memoryKb }) => sum + memoryKb, 0) / 1024;

/**
 * Forks as often as allowed, and keeps trying when refused; it leaves its own n8n some room, because otherwise the attack would be over
 * soon. It uses several sessions, because the system may give each session its share of the processors: a tenant with many sessions takes
 * many shares.
 */
const bomb = `{ ulimit -p 900 || ulimit -u 900; } 2>/dev/null; ${inSessions(4, "perl -e 'while (1) { fork }'")}`;
/** Sixteen loops that never rest. */
const busy = inSessions(16, node("for (;;);"));

/**
 * Fills the memory with touched pages, one process for each gigabyte; at most three times a workspace's memory. Each process notes how much
 * it got, and asks to be killed before its n8n.
 */
const hog =
  `echo 1000 > /proc/self/oom_score_adj; ` +
  node(
    `const { spawn } = require("node:child_process"); if (process.argv[1]) { const all = []; setInterval(() => { if (all.length < 16) all.push(Buffer.alloc(64 * 1024 * 1024, 1)); require("node:fs").writeFileSync("eaten." + process.pid, "\\n" + all.length * 64); }, 20); } else for (let n = 0; n < 3; n += 1) spawn("node", ["-e", process.execArgv[1], "eat"], { stdio: "ignore" });`,
  );

export const exhaust: readonly Attack[] = [
  {
    title: "creates the largest possible file",
    means: "Execute Command",
    async run(scene) {
      const limit = freeAt(scene.attacker.folder).totalBytes;
      const { text } = await scene.shell("truncate -s 8T huge; stat -c %s huge; rm -f huge");
      const size = Number(/^\d+$/m.exec(text)?.[0] ?? 0);
      return {
        stoppedBy: text.split("\n")[0]?.split(": ").at(-1) ?? "",
        harms: size > limit ? [`a file of ${Math.round(size / mb)} MB was made, on a disk of ${Math.round(limit / mb)} MB`] : [],
      };
    },
  },
  {
    title: "fills the disk",
    means: "Execute Command",
    run: async (scene) => {
      const { slipway, attacker } = scene;
      const before = freeAt(slipway.dataDir);
      const least = maximum();
      const look = (): void => least.note(before.bytes - freeAt(slipway.dataDir).bytes);
      // Written and deleted again and again: the writing is what affects the neighbour.
      const write = `sh -c 'while :; do dd if=/dev/zero of=fill bs=1M count=512 conv=fsync 2>/dev/null; rm -f fill; done'`;
      const { latency, harms } = await underAttack(scene, () => scene.shell(forAWhile(write)), look);
      const inside = await diskInside(scene);
      const isBounded = inside < before.totalBytes * 0.9;
      // On a disk without a limit a gigabyte is enough to show that, and spares the rest of the host. A file is removed before the shell ends:
      // the attacker's n8n writes the end of the execution to the same disk, and would answer with an error if that is full.
      const { text } = await scene.shell(
        `n=0; while [ $n -lt ${isBounded ? 4096 : 4} ]; do fallocate -l 256M fill.$n || break; n=$((n + 1)); done; df -h . | tail -1; rm -f fill.0`,
      );
      look();
      await scene.shell("rm -f fill fill.*");
      const refused = /no space|quota|too large/i.exec(text)?.[0];
      return {
        stoppedBy: refused ?? "nothing",
        ...(latency && { latency }),
        harms: [
          ...harms,
          ...(refused ? [] : [`nothing stopped it: its disk is the host's, of ${Math.round(before.totalBytes / mb)} MB`]),
          ...(least.value() > inside + 512 * mb ? [`the host lost ${Math.round(least.value() / mb)} MB`] : []),
          ...(await writesStill(scene, scene.inside(attacker.folder))),
        ],
      };
    },
  },
  {
    title: "makes as many files as it can",
    means: "Execute Command",
    async run(scene) {
      const before = freeAt(scene.slipway.dataDir).inodes;
      const { text } = await scene.shell(
        `mkdir -p many; ${forAWhile(node(`const fs = require("node:fs"); for (let n = 0; n < 60000; n += 1) fs.writeFileSync("many/" + n, "");`), 8)}; ls many | wc -l`,
      );
      const lost = before - freeAt(scene.slipway.dataDir).inodes;
      await scene.shell("rm -rf many");
      const made = Number(/^\d+$/m.exec(text)?.[0] ?? 0);
      return {
        stoppedBy: made > 0 ? "its files are counted on a disk of its own" : (text.split("\n")[0] ?? ""),
        harms: lost > made / 2 && made > 0 ? [`${made} files took ${lost} of the host's inodes`] : [],
      };
    },
  },
  {
    title: "floods its output",
    mayEndItself: true,
    means: "code in n8n",
    async run(scene) {
      const log = watchLog(scene);
      const said = await scene
        .script(
          `const line = Buffer.alloc(1024 * 1024, 'x'); let n = 0; try { for (; n < 600; n += 1) { require('node:fs').writeSync(1, line); await new Promise(setImmediate); } } catch (error) { return error.code + ' after ' + n + ' MB'; } return n + ' MB were written';`,
        )
        .finally(() => log.note());
      const { settledMb, mostMb } = await log.end();
      return {
        stoppedBy: `${String(said)}; ${settledMb} MB of the host's disk, at most ${mostMb} meanwhile`,
        harms: logHarms(settledMb, mostMb),
      };
    },
  },
  {
    title: "reserves the host's disk through the file that its output goes to",
    mayEndItself: true,
    means: "code in n8n",
    async run(scene) {
      const log = watchLog(scene);
      const reserve = (mode: number, bytes: number) =>
        scene.script(
          `return require('node:child_process').spawnSync('perl', ['-e', 'exit(syscall(${process.arch === "arm64" ? 47 : 285}, 1, ' + given.mode + ', 0, ' + given.bytes + ') == 0 ? 0 : 1)'], { stdio: ['ignore', 1, 'ignore'] }).status === 0 ? 'reserved' : 'refused'`,
          { mode, bytes },
        );
      // Beyond its end, where its size does not show it and a size limit does not apply; after a try inside the file.
      const said = [await reserve(1, 3 * 1024 * mb)];
      log.note();
      await delay(2_500);
      const beyondMb = log.takenMb();
      said.push(
        await reserve(0, 1024 * mb),
        await scene.script(
          "try { require('node:fs').ftruncateSync(1, 64 * 2 ** 30); return 'grown'; } catch (error) { return error.code; }",
        ),
      );
      log.note();
      const { settledMb, mostMb } = await log.end();
      return {
        stoppedBy: `${said.join(", ")}; ${Math.max(beyondMb, settledMb)} MB of the host's disk`,
        harms: logHarms(Math.max(beyondMb, settledMb), mostMb),
      };
    },
  },
  {
    title: "fills the host's memory through files of memory",
    mayEndItself: true,
    means: "Execute Command",
    async run(scene) {
      const before = sharedMemoryMb();
      const answers: string[] = [];
      let taken = 0;
      for (const place of ["/dev/shm", "/tmp", "/run", "/var/tmp"]) {
        const { text } = await scene.shell(
          `[ "$(stat -f -c %T ${place} 2>/dev/null)" = tmpfs ] && ${forAWhile(`dd if=/dev/zero of=${place}/fill bs=1M count=${scene.memoryMb + 512}`)} 2>&1 | head -1`,
        );
        taken = Math.max(taken, sharedMemoryMb() - before);
        answers.push(text.split(": ").at(-1) ?? "");
        await scene.shell(`rm -f ${place}/fill`);
      }
      return {
        stoppedBy: words(answers),
        harms: taken > scene.memoryMb ? [`${Math.round(taken)} MB of memory were taken, of its ${scene.memoryMb}`] : [],
      };
    },
  },
  {
    title: "starts a fork bomb",
    mayEndItself: true,
    means: "Execute Command",
    async run(scene) {
      const tasks = maximum();
      const outcome = await underAttack(
        scene,
        () => scene.shell(bomb),
        () => tasks.note(tasksOf(scene.attacker.uid)),
      );
      if (tasks.value() < 200) throw new Error(`the bomb did not go off: ${tasks.value()} processes and threads`);
      return { stoppedBy: `its share of the processors; ${tasks.value()} processes and threads`, ...outcome };
    },
  },
  {
    title: "keeps every processor busy, in many sessions",
    mayEndItself: true,
    means: "Execute Command",
    async run(scene) {
      const processes = maximum();
      const outcome = await underAttack(
        scene,
        () => scene.shell(busy),
        () => processes.note(processesOf(scene.attacker.uid).length),
      );
      if (processes.value() < 16) throw new Error("nothing kept the processors busy");
      return { stoppedBy: "its share of the processors", ...outcome };
    },
  },
  {
    title: "uses all memory",
    mayEndItself: true,
    means: "Execute Command",
    async run(scene) {
      const [taken, program] = [maximum(), scene.slipway.pid()];
      const outcome = await underAttack(
        scene,
        () => scene.shell(forAWhile(`sh -c '${hog.replaceAll("'", `'\\''`)}; sleep 60'`)),
        () => taken.note(memoryOf(scene.attacker.uid)),
      );
      const { text } = await scene.shell("cat eaten.*; rm -f eaten.*");
      const eaten = text.split("\n").reduce((sum, line) => sum + Number(line), 0);
      if (eaten < 256) throw new Error(`the hog ate no more than ${eaten} MB`);
      return {
        stoppedBy: `at most ${Math.round(taken.value())} MB`,
        ...outcome,
        harms: [
          ...outcome.harms,
          ...(taken.value() > scene.memoryMb * 1.1 ? [`it had ${Math.round(taken.value())} MB of its ${scene.memoryMb}`] : []),
          ...(residentMb(program) > 0 ? [] : ["the program is gone"]),
        ],
      };
    },
  },
];

/** Space that the attacker's output takes on the host's disk; none if the log is on the workspace's own disk. */
function watchLog(scene: Scene): { note(): void; takenMb(): number; end(): Promise<{ settledMb: number; mostMb: number }> } {
  const { logs } = workspacePaths(join(scene.slipway.dataDir, "workspaces"), scene.attacker.workspaceId);
  const onHost = statSync(logs).dev === statSync(scene.slipway.dataDir).dev;
  const takenMb = (): number => (onHost ? Math.round(allocatedIn(logs) / mb) : 0);
  const most = maximum();
  const note = (): void => most.note(takenMb());
  const timer = setInterval(note, 50);
  return {
    note,
    takenMb,
    end: async () => {
      // It is truncated by the next check, once a second.
      await delay(2_500);
      clearInterval(timer);
      return { settledMb: takenMb(), mostMb: most.value() };
    },
  };
}

/** Three files of 4 MB; output between two checks must not fill the host's disk. */
const logHarms = (settledMb: number, mostMb: number): string[] => [
  ...(settledMb > 16 ? [`its log takes ${settledMb} MB of the host's disk`] : []),
  ...(mostMb > 256 ? [`its log took ${mostMb} MB of the host's disk for a moment`] : []),
];

/** Bytes of the disk on which the attacker finds itself. */
async function diskInside(scene: Scene): Promise<number> {
  return Number(
    await scene.script("const { blocks, bsize } = require('node:fs').statfsSync(process.env.N8N_USER_FOLDER); return blocks * bsize"),
  );
}

/** A workspace whose disk was full works again once it is not. */
async function writesStill(scene: Scene, folder: string): Promise<string[]> {
  const { code, text } = await scene.shell(`echo again > '${folder}/again' && rm '${folder}/again'`);
  return code === 0 ? [] : [`the attacker itself cannot write any more: ${text.slice(0, 100)}`];
}

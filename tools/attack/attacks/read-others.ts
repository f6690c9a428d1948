/** Reading what belongs to the neighbour or to the program: files, environments, memory. */
import { linkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { workspacePaths } from "#apps/provisioner/drivers/process/storage/workspace-paths.ts";
import { words, type Attack } from "../attack.ts";
import { n8nOf } from "../scene/host-view.ts";
import { openInside } from "../scene/open-inside.ts";
import { resultOf, type Scene } from "../scene/scene.ts";

/** Files on the host that the attacker must not read. */
function privateFiles({ slipway, neighbour, attacker }: Scene): string[] {
  const workspacesDir = join(slipway.dataDir, "workspaces");
  const [other, own] = [workspacePaths(workspacesDir, neighbour.workspaceId), workspacePaths(workspacesDir, attacker.workspaceId)];
  return [
    join(neighbour.folder, "marker.txt"),
    join(neighbour.folder, ".n8n/database.sqlite"),
    join(neighbour.folder, ".n8n/config"),
    other.record,
    other.ports,
    other.outputs[0],
    own.record,
    own.ports,
    own.outputs[0],
    join(slipway.dataDir, "postgres/cluster/PG_VERSION"),
    join(slipway.dataDir, "../program.log"),
    "/etc/shadow",
    "/root/.bashrc",
  ];
}

const hostPids = ({ slipway, neighbour }: Scene): [string, number][] => [
  ["the neighbour's n8n", n8nOf(neighbour.uid)?.pid ?? 0],
  ["the program", slipway.pid()],
  ["the database", slipway.postmasterPid() ?? 0],
];

export const readOthers: readonly Attack[] = [
  {
    title: "opens the files of its neighbour, of the program and of the host",
    means: "code in n8n, Execute Command",
    async run(scene) {
      const files = privateFiles(scene);
      const answers = await openInside(scene, files, "r");
      const { text } = await scene.shell(`cat -- ${files.map((file) => `'${file}'`).join(" ")} 2>&1 | cut -c 1-300`);
      const secret = [...scene.secrets.values()].some((value) => text.includes(value));
      return {
        stoppedBy: words(answers.map(({ code }) => code)),
        harms: [
          ...answers.filter(({ isHosts }) => isHosts).map(({ path }) => `${path} was opened`),
          ...(secret ? ["a secret was printed"] : []),
        ],
      };
    },
  },
  {
    title: "reads beyond its folder by dots, by links and by /proc",
    means: "Read/Write Files from Disk",
    async run(scene) {
      const { attacker, neighbour } = scene;
      const marker = join(neighbour.folder, "marker.txt");
      const home = scene.inside(attacker.folder);
      await scene.shell(`ln -sfn '${neighbour.folder}' there; ln -sfn '${marker}' mark; ln -sfn / root`);
      const ways = [
        marker,
        `${attacker.folder}/../../${neighbour.workspaceId}/data/marker.txt`,
        `${home}/../../${neighbour.workspaceId}/data/marker.txt`,
        `${home}/there/marker.txt`,
        `${home}/mark`,
        `${home}/root${marker}`,
        "/etc/shadow",
        "/proc/1/environ",
        `/proc/${scene.slipway.pid()}/environ`,
        `/proc/self/root${marker}`,
        "/proc/self/cwd/../../../../program.log",
      ];
      const answers = await Promise.all(ways.map((path) => scene.runInside(attacker, "read", { path })));
      const got = answers.map(({ data, error }) => (typeof data === "string" ? data : `refused: ${String(error).slice(0, 60)}`));
      await scene.shell("rm -f there mark root");
      const secret = got.filter((text) => [...scene.secrets.values()].some((value) => text.includes(value)) || text.startsWith("root:"));
      return {
        stoppedBy: words(got.filter((text) => text.startsWith("refused")).map(() => "n8n finds no such file, or may not read it")),
        harms: secret.map((text) => `read: ${text.slice(0, 20)}…`),
      };
    },
  },
  {
    title: "makes hard links to files that are not its own",
    means: "Execute Command",
    async run(scene) {
      const marker = join(scene.neighbour.folder, "marker.txt");
      const { text } = await scene.shell(
        `ln '${marker}' hard1; ln /etc/shadow hard2; ln '${scene.inside(join(scene.enginesDir, "hooks"))}' hard3; rm -f hard1 hard2 hard3`,
      );
      // A link that is always allowed shows that the check itself works.
      linkSync(marker, `${marker}.again`);
      const own = statSync(marker).nlink;
      rmSync(`${marker}.again`);
      return {
        stoppedBy: words(text.split("\n").map((line) => line.split(": ").at(-1) ?? "")),
        harms: own === 2 && statSync(marker).nlink === 1 ? [] : ["the neighbour's file has another name"],
      };
    },
  },
  {
    title: "reads the environment, memory and files of other processes",
    means: "Execute Command, code in n8n, Code",
    async run(scene) {
      const pids = hostPids(scene);
      const { text } = await scene.shell("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -a canary; ls /proc | grep -c '^[0-9]*$'");
      const script = `const fs = require('node:fs'); return given.map(([what, pid]) => ['environ', 'mem', 'maps', 'fd', 'cwd', 'root'].map((name) => {
        const path = '/proc/' + pid + '/' + name;
        try { name === 'fd' || name === 'root' || name === 'cwd' ? fs.readdirSync(path) : fs.closeSync(fs.openSync(path, 'r')); return what + ': ' + name + ' opened'; } catch (error) { return error.code; }
      })).flat();`;
      const answers = [
        (await scene.script(script, pids)) as string[],
        resultOf(await scene.runInside(scene.attacker, "code", { script, given: pids })) as string[],
      ].flat();
      const own = await scene.script("return require('node:fs').readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map(Number)");
      const seen = pids.filter(([, pid]) => (own as number[]).includes(pid)).map(([what]) => `${what} is seen in /proc`);
      return {
        stoppedBy: words(answers.filter((answer) => !answer.includes("opened"))),
        harms: [
          ...answers.filter((answer) => answer.includes("opened")),
          ...seen,
          ...(text.includes("canary-") ? ["a secret was found in an environment"] : []),
        ],
      };
    },
  },
  {
    title: "searches everything it can read for the secrets of others",
    means: "Execute Command",
    async run(scene) {
      const { text } = await scene.shell(
        `find / -xdev -maxdepth 6 \\( -path /proc -o -path /sys -o -name node_modules \\) -prune -o -type f -mmin -15 -size -2000k -readable -print0 2>/dev/null | xargs -0 -r grep -lsa -e canary- -- | head -20`,
      );
      const files = text.split("\n").filter((file) => file !== "" && !file.startsWith(scene.inside(scene.attacker.folder)));
      return { stoppedBy: "nothing was found", harms: files.map((file) => `a secret lies open in ${file}`) };
    },
  },
];

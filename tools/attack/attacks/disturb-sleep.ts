/**
 * What a tenant can do to its neighbour's sleep, and with its own. Who sleeps is read from the kernel and the row, never from the
 * workspaces.
 */
import { minuteMs } from "#platform/clock.ts";
import { ask } from "#testing/ask.ts";
import { openRows } from "../../chaos/checks/rows.ts";
import { letRest, putToSleep } from "../../chaos/round/let-rest.ts";
import { words, type Attack } from "../attack.ts";
import { eventually } from "../scene/eventually.ts";
import { isThere, n8nOf } from "../scene/host-view.ts";
import type { Scene, Tenant } from "../scene/scene.ts";
import { connect, listeningPorts } from "./reach-others.ts";

const sleepMs = 100_000;

const rowsOf = ({ slipway }: Scene) => openRows(slipway.dataDir);

interface Rest {
  asleep: Date | null;
  until: Date | null;
  /** A wake was requested. */
  asked: Date | null;
  /** A pass has looked at it, and the next one is not due yet. */
  looked: boolean;
}

async function restOf(scene: Scene, { workspaceId }: Tenant): Promise<Rest> {
  const [row] = await rowsOf(scene).ask<Rest>(
    `select asleep_since as asleep, sleep_until as until, wake_asked_at as asked, lease_owner is null and reconcile_at > now() as looked
    from workspaces where id = $1`,
    [workspaceId],
  );
  return row!;
}

/** Whether both row and kernel say so. */
async function isAsleep(scene: Scene, tenant: Tenant): Promise<boolean> {
  const { asleep, asked } = await restOf(scene, tenant);
  return asleep !== null && asked === null && (await scene.driver.observe(tenant.workspaceId)).frozen === true;
}

/** Resolves with the attacker's row once the neighbour sleeps and a pass has looked at both. */
async function letNeighbourSleep(scene: Scene): Promise<Rest> {
  await letRest({ rows: rowsOf(scene) });
  return eventually(
    "the neighbour's sleep, and a look at the attacker",
    async () => {
      const rest = await restOf(scene, scene.attacker);
      return rest.looked && (await isAsleep(scene, scene.neighbour)) ? rest : undefined;
    },
    sleepMs,
  );
}

/** Replaces the hook's answer about sleep: it may sleep and is due in a minute, always. */
const lie = `const { Server } = require('node:http'); const { emit } = require('node:events').prototype;
Server.prototype.emit = function (event, request, response, ...rest) {
  if (event !== 'request' || !request.url.startsWith('/_slipway/sleep')) return emit.call(this, event, request, response, ...rest);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ sleepable: true, due: new Date(Date.now() + 60000).toISOString() }));
  return true;
};
return 'lying';`;

/** Takes back the lie. From now on it notices that it was frozen, and then answers no requests for a while. */
const answerLate = `delete require('node:http').Server.prototype.emit;
let last = Date.now();
const timer = setInterval(() => {
  const now = Date.now();
  if (now - last > 5000) { clearInterval(timer); while (Date.now() - now < 6000); }
  last = Date.now();
}, 200);
return 'waiting';`;

/** Ways to make the kernel thaw a process. */
const thaw = (pid: number): string =>
  `for file in $(find /sys/fs/cgroup -name freezer.state -o -name cgroup.freeze); do echo THAWED > $file; echo 0 > $file; done; kill -CONT ${pid}; true`;

const waiting = 1_200;

const attacks: readonly Attack[] = [
  {
    title: "claims forever that it may sleep and is due in a minute",
    means: "code in n8n",
    async run(scene) {
      await scene.script(lie);
      const { asleep, until } = await letNeighbourSleep(scene);
      const isWokenSoon = asleep !== null && until !== null && until.getTime() - asleep.getTime() < 5 * minuteMs;
      return {
        stoppedBy: asleep === null ? "it stays awake, and its neighbour sleeps" : "it sleeps like others",
        harms: isWokenSoon ? [`it is woken at ${until.toISOString()}, and has slept since ${asleep.toISOString()}`] : [],
      };
    },
  },
  {
    title: "wakes its neighbour without calling its address",
    means: "code in n8n, Execute Command, its own session",
    async run(scene) {
      const { neighbour, attacker, slipway, driver } = scene;
      await letNeighbourSleep(scene);
      const pid = n8nOf(neighbour.uid)!.pid;
      const { address = "" } = await driver.observe(neighbour.workspaceId);
      const reached = await connect(
        scene,
        listeningPorts(pid, neighbour.uid).map((port) => [address.replace(/:\d+$/, ""), port] as const),
      );
      const { text } = await scene.shell(thaw(pid));
      const asked = await Promise.all([
        ...["/healthz", "/healthz/readiness", "/wp-login.php"].map((path) => ask(neighbour.url + path)),
        ask(`${attacker.url}/rest/login`, { headers: { "x-forwarded-host": new URL(neighbour.url).host } }),
        slipway.call("GET", `/api/instance?workspaceId=${neighbour.workspaceId}`, { token: attacker.customer.token }),
      ]);
      const isStillAsleep = await isAsleep(scene, neighbour);
      return {
        stoppedBy: words([...reached.map(({ answer }) => answer), text.split("\n")[0]!, ...asked.map(({ status }) => String(status))]),
        harms: [
          ...(isStillAsleep ? [] : ["its neighbour is awake"]),
          ...reached.filter(({ answer }) => answer === "connected").map(({ place }) => `it reached ${place}`),
          ...(isThere(pid) ? [] : ["its neighbour's process is gone"]),
        ],
      };
    },
  },
  {
    title: "does not answer when it is woken, while its callers fill the space for waiting requests",
    means: "code in n8n, calls of its own address",
    mayEndItself: true,
    async run(scene) {
      const { attacker } = scene;
      await scene.script(answerLate);
      await putToSleep({ rows: rowsOf(scene) }, sleepMs);
      const callers = Array.from({ length: waiting }, () => ask(`${attacker.url}/webhook/none`, { timeoutMs: 60_000 }).catch(() => null));
      await eventually("the attacker's wake", async () => ((await isAsleep(scene, attacker)) ? undefined : true), sleepMs);
      const { status } = await scene.callNeighbour();
      const answers = (await Promise.all(callers)).map((answer) => String(answer?.status ?? "no answer"));
      const isAnswered = status === 200;
      return { stoppedBy: words(answers), harms: isAnswered ? [] : [`its neighbour, woken meanwhile, answers ${status}`] };
    },
  },
];

/** On a host that freezes workspaces. From the first one on, the program lets them sleep. */
export const disturbSleep: readonly Attack[] = attacks.map((attack) => ({
  ...attack,
  async run(scene) {
    if (!(await scene.letSleep())) return { stoppedBy: "this host freezes no workspaces", harms: [] };
    return attack.run(scene);
  },
}));

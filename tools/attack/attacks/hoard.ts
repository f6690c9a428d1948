/** Taking more than a fair share of shared resources: connections, open files, streams, copies, a usage period. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { startInternet, type Internet } from "#testing/network/start-internet.ts";
import { openRows } from "../../chaos/checks/rows.ts";
import { words, type Attack, type Outcome } from "../attack.ts";
import { eventually } from "../scene/eventually.ts";
import type { Scene } from "../scene/scene.ts";

/** The default of WORKSPACE_CONNECTIONS, plus some that end while they are counted. */
const mostConnections = 2_048 + 100;
/** Streams that one session may hold. */
const mostStreams = 8;

const readNumbers = (file: string): number[] => readFileSync(file, "utf8").trim().split(/\s+/).map(Number);

async function withInternet(use: (internet: Internet) => Promise<Outcome>): Promise<Outcome> {
  const internet = startInternet();
  try {
    await delay(1_000);
    return await use(internet);
  } finally {
    internet.stop();
  }
}

/** Opens that many connections from the attacker's n8n, holds them, and reports what happened to each. */
const openMany = (scene: Scene, { host, port, count, holdMs }: { host: string; port: number; count: number; holdMs: number }) =>
  scene.script(
    `const ended = {}; const sockets = []; const note = (what) => (ended[what] = (ended[what] ?? 0) + 1);
    for (let at = 0; at < given.count; at += 1) {
      sockets.push(require('node:net').connect(given.port, given.host).on('connect', () => note('open')).on('error', ({ code }) => note(code)));
      if (at % 100 === 99) await new Promise((resolve) => setTimeout(resolve, given.holdMs * 100 / given.count));
    }
    await new Promise((resolve) => setTimeout(resolve, 2000));
    for (const socket of sockets) socket.destroy();
    return ended;`,
    { host, port, count, holdMs },
  ) as Promise<Record<string, number>>;

export const hoard: readonly Attack[] = [
  {
    title: "sends mail to other servers by their own port",
    means: "code in n8n",
    run: (scene) =>
      withInternet(async ({ host }) => {
        const ended = await openMany(scene, { host, port: 25, count: 5, holdMs: 500 });
        return { stoppedBy: words(Object.keys(ended)), harms: ended["open"] ? [`${ended["open"]} connections to port 25`] : [] };
      }),
  },
  {
    title: "fills the host's table of connections",
    means: "code in n8n",
    run: (scene) =>
      withInternet(async ({ host, keepingPort, port }) => {
        const ended = await openMany(scene, { host, port: keepingPort, count: 5_000, holdMs: 15_000 });
        const open = ended["open"] ?? 0;
        const reached = await new Promise<boolean>((resolve) =>
          connect(port, host)
            .on("connect", () => resolve(true))
            .on("error", () => resolve(false)),
        );
        if (open < 100) throw new Error(`the flood did not begin: ${JSON.stringify(ended)}`);
        return {
          stoppedBy: `${open} of 5000 were let through, then ${words(Object.keys(ended).filter((what) => what !== "open"))}`,
          harms: [
            ...(open > mostConnections ? [`it has ${open} connections at once`] : []),
            ...(reached ? [] : ["the host itself reaches nothing any more"]),
          ],
        };
      }),
  },
  {
    title: "fills the host's table of open files",
    mayEndItself: true,
    means: "Execute Command",
    async run(scene) {
      const one = `perl -e '$| = 1; my @all; while (open(my $file, "<", "/dev/null")) { push @all, $file } print scalar(@all), "\\n"; sleep 10'`;
      const openNow = (): number => readNumbers("/proc/sys/fs/file-nr")[0]!;
      const before = openNow();
      let most = before;
      const timer = setInterval(() => (most = Math.max(most, openNow())), 100);
      // This may kill its n8n: what it opens costs its own memory.
      await scene
        .shell(`n=0; while [ $n -lt 20 ]; do timeout -s KILL 20 ${one} & n=$((n + 1)); done; wait`)
        .catch(() => undefined)
        .finally(() => clearInterval(timer));
      const opened = most - before;
      if (opened < 10_000) throw new Error(`hardly any file was opened: ${opened}`);
      const table = readNumbers("/proc/sys/fs/file-max")[0]!;
      return {
        stoppedBy: `${opened} files, each of them its own memory`,
        harms: most > table / 2 ? [`${most} of the host's ${table} files are open`] : [],
      };
    },
  },
  {
    title: "reports usage for a period that is over",
    means: "code in n8n",
    async run({ slipway, attacker, script, runInside }) {
      const rows = openRows(slipway.dataDir);
      const over = new Date(Date.now() - 40 * 86_400_000).toISOString();
      await rows.ask(
        "insert into usage_periods (account_id, starts_at, executions) select id, $2::timestamptz, 0 from accounts where name = $1 on conflict do nothing",
        [attacker.customer.accountName, over],
      );
      // As long as the real one, so that the answer's length stays right.
      await script(
        "const { ServerResponse } = require('node:http'); const { end } = ServerResponse.prototype; globalThis.honest = end; ServerResponse.prototype.end = function (body, ...rest) { const text = typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString() : ''; return text.includes('counters') ? end.call(this, text.replaceAll(/\"period\":\"[^\"]{24}\"/g, '\"period\":\"' + given + '\"'), ...rest) : end.call(this, body, ...rest); }; return true",
        over,
      );
      const countOf = async (isOver: boolean): Promise<number> =>
        Number(
          (
            await rows.ask(
              `select coalesce(sum(p.executions), 0) as n from usage_periods p join accounts a on a.id = p.account_id where a.name = $1 and (p.starts_at = $2::timestamptz) = $3`,
              [attacker.customer.accountName, over, isOver],
            )
          )[0]!["n"],
        );
      // First: while the executions run, some may be recorded already.
      const before = await countOf(false);
      for (let times = 0; times < 10; times += 1) await runInside(attacker, "module", { script: "return 1", given: {} });
      const counted = await eventually(
        "its executions on record",
        async () => {
          // Requesting the usage makes the control plane ask for it soon; otherwise it would ask a minute after the last visit.
          await slipway.call("GET", "/api/instance/used-limits", { token: attacker.customer.token });
          const [now, late] = [await countOf(false), await countOf(true)];
          return now + late >= before + 8 ? { now, over: late } : undefined;
        },
        90_000,
        1_000,
      ).finally(() => script("require('node:http').ServerResponse.prototype.end = globalThis.honest; return true"));
      return {
        stoppedBy: "a period is believed only where it overlaps the day",
        harms: counted.over > 0 ? [`${counted.over} executions count for a period that is over`] : [],
      };
    },
  },
  {
    title: "holds hundreds of event streams open, and breaks others off in the middle of a request",
    means: "its own session",
    async run({ slipway, attacker, neighbour }) {
      const { token } = attacker.customer;
      const stop = new AbortController();
      const open = () =>
        fetch(`${slipway.url}/api/instance/events`, { headers: { authorization: `Bearer ${token}` }, signal: stop.signal }).then(
          ({ status }) => status,
          () => 0,
        );
      const statuses = await Promise.all(Array.from({ length: 200 }, open));
      const opened = statuses.filter((status) => status === 200).length;
      const answer = await slipway.call("GET", "/api/instance", { token: neighbour.customer.token });
      stop.abort();
      for (let times = 0; times < 50; times += 1) {
        const socket = connect(slipway.port, "127.0.0.1", () =>
          socket.write(`GET /api/instance/events HTTP/1.1\r\nHost: localhost\r\nCookie: token=${token}\r\n\r\n`, () =>
            socket.resetAndDestroy(),
          ),
        ).on("error", () => undefined);
      }
      // The places of closed streams are free again.
      const again = await eventually(
        "a stream after the storm",
        async () =>
          (await fetch(`${slipway.url}/api/instance/events`, { headers: { authorization: `Bearer ${token}` } }).then(
            async (each) => (await each.body?.cancel(), each.status),
          )) === 200
            ? true
            : undefined,
        20_000,
        500,
      ).catch(() => false);
      return {
        stoppedBy: words(statuses.map(String)),
        harms: [
          ...(opened > mostStreams ? [`${opened} streams of one session`] : []),
          ...(answer.status === 200 ? [] : [`its neighbour is answered ${answer.status}`]),
          ...(again ? [] : ["streams that left keep their places"]),
        ],
      };
    },
  },
  {
    title: "repeats a request quickly, each time under another guise",
    means: "its own session",
    async run({ slipway, attacker }) {
      const { token } = attacker.customer;
      const asked = await Promise.all(
        Array.from({ length: 25 }, () =>
          slipway.call("POST", "/api/export/backups", { token, headers: { "idempotency-key": crypto.randomUUID() } }),
        ),
      );
      const made = new Set(asked.filter(({ status }) => status === 202).map((answer) => answer.json<{ id: string }>().id));
      await eventually(
        "its backup",
        async () => {
          const { backups } = (await slipway.call("GET", "/api/export", { token })).json<{ backups: { state: string }[] }>();
          return backups.every(({ state }) => state === "successful" || state === "failed") ? true : undefined;
        },
        90_000,
        500,
      );
      return {
        stoppedBy: words(asked.map(({ status }) => String(status))),
        harms: made.size > 1 ? [`${made.size} backups were made at once`] : [],
      };
    },
  },
];

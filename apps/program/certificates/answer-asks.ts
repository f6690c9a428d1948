/**
 * Tells a proxy that gets certificates on demand (Caddy's `on_demand_tls`) which host names belong to the service: otherwise anyone could
 * make the proxy order certificates for any name, until the certificate authority refuses more. On a separate port that only the proxy
 * reaches.
 */
import type { RequestListener } from "node:http";
import { hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { atMostEvery } from "#platform/loops/at-most-every.ts";
import { createSlots } from "#platform/loops/slots.ts";
import { within } from "#platform/loops/within.ts";
import { resolveHost } from "../../gateway/routes/resolve-host.ts";

interface HostsAsked {
  /** Host and port of the panel. */
  panelHost: string;
  /** Names of further hosts at which the API answers. */
  apiHosts?: readonly string[];
  /** Whether this account has a workspace that is not deleted. */
  hasWorkspace(accountName: string): Promise<boolean>;
  /** Whether this account's host, which has a workspace, may get a certificate: it is among this week's, or was allowed one earlier. */
  isWithinBound(accountName: string): Promise<boolean>;
  /** Called when a valid host is refused because the week's certificates are used up. */
  refused(): void;
  log: Log;
}

/** Anyone can begin a TLS handshake with a made-up name: lookups leave the database's other connections to the service. */
const mostLookups = 2;
/** A lookup takes a millisecond. If more than this many wait, the database hangs or the proxy is flooded. */
const mostWaiting = 100;
const answerMs = 2 * secondMs;
/** For a flood, one line is enough. */
const saidEveryMs = minuteMs;
const saidUsedUpEveryMs = hourMs;

type Answer = 200 | 404 | 429;

/**
 * Answers GET /ask?domain=…: 200 for exactly the panel's host, the API's or the host of a workspace; 429 for a host beyond the week's limit; 404 for
 * every other name; 503 if the answer is unknown at the moment. The body is empty.
 */
export function answerAsks({ panelHost, apiHosts, hasWorkspace, isWithinBound, refused, log }: HostsAsked): RequestListener {
  const lookups = createSlots({ most: mostLookups });
  const say = atMostEvery(saidEveryMs, (err: unknown) =>
    log.warn({ err }, "could not tell the proxy whether a host name may get a certificate"),
  );
  const sayUsedUp = atMostEvery(saidUsedUpEveryMs, (name: string) =>
    log.error(
      { name },
      "this week's certificates are used up: hosts that have never been visited get none. Use a wildcard certificate (docs/runbooks/one-server.md), or raise CERTIFICATES_PER_WEEK if your authority issues more",
    ),
  );
  const lookUp = async (accountName: string, name: string): Promise<Answer> => {
    if (!(await hasWorkspace(accountName))) return 404;
    if (await isWithinBound(accountName)) return 200;
    refused();
    sayUsedUp(name);
    return 429;
  };
  const answer = async (name: string): Promise<Answer> => {
    const host = resolveHost(name, panelHost, apiHosts);
    if (host.kind === "unknown" || !isPlain(name)) return 404;
    if (host.kind === "panel") return 200;
    if (lookups.waiting() >= mostWaiting) throw new Error("too many lookups are waiting");
    return within(
      answerMs,
      "the lookup of a host name",
      lookups.run(() => lookUp(host.accountName, name)),
    );
  };
  return (req, res) => {
    const url = URL.parse(`http://proxy${req.url}`);
    const [name, ...others] = url?.searchParams.getAll("domain") ?? [];
    if (url?.pathname !== "/ask" || name === undefined || others.length > 0) return void res.writeHead(404).end();
    if (req.method !== "GET") return void res.writeHead(405, { allow: "GET" }).end();
    answer(name).then(
      (status) => res.writeHead(status).end(),
      (err: unknown) => {
        say(err);
        res.writeHead(503).end();
      },
    );
  };
}

/** A name as it appears in a certificate: a proxy would order a separate one for each other spelling. */
const isPlain = (name: string): boolean => /^[a-z0-9.-]+[a-z0-9]$/.test(name);

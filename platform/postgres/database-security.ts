/**
 * Whether the connection to a database is encrypted and its server verified, as the driver interprets the URL: clients differ in what
 * `sslmode` means. In pg 8, `require`, `verify-ca` and `verify-full` all verify chain and name, `no-verify` and libpq's own meaning
 * (`uselibpqcompat`) do not, and without any of them there is no TLS. pg 9 will weaken two of them; because the driver is asked, this
 * module will notice.
 */
import { Client } from "pg";
import { isLoopback } from "../http/is-loopback.ts";

interface Understood {
  host?: string;
  isDomainSocket: boolean;
  /** True: Node's defaults, which verify. */
  ssl: unknown;
}

/** The weakness of the connection to that database; null if it is on this machine or verified. Throws if the driver cannot use the URL. */
export function databaseWeakness(url: string): string | null {
  // An unconnected client opens nothing.
  const {
    host = "localhost",
    isDomainSocket,
    ssl,
  } = (new Client({ connectionString: url }) as unknown as { connectionParameters: Understood }).connectionParameters;
  if (isDomainSocket || isLoopback(host)) return null;
  if (!ssl) return "is on another machine and is reached without TLS";
  return isVerified(ssl) ? null : "is on another machine, and its identity is not verified";
}

function isVerified(ssl: unknown): boolean {
  if (ssl === true) return true;
  if (typeof ssl !== "object" || ssl === null) return false;
  const { rejectUnauthorized, checkServerIdentity } = ssl as { rejectUnauthorized?: unknown; checkServerIdentity?: unknown };
  return rejectUnauthorized !== false && checkServerIdentity === undefined;
}

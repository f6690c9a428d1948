/**
 * Whether the way to a database is encrypted and its server known, by what the driver makes of the address: `sslmode` means something else to every
 * client. In pg 8, `require`, `verify-ca` and `verify-full` all verify chain and name, `no-verify` and libpq's own meaning (`uselibpqcompat`) do not,
 * and without any of them there is no TLS at all. pg 9 is going to weaken two of them: asking the driver notices.
 */
import { Client } from "pg";
import { isLoopback } from "../http/is-loopback.ts";

interface Understood {
  host?: string;
  isDomainSocket: boolean;
  /** True: Node's own defaults, which verify. */
  ssl: unknown;
}

/** What is weak about the way to that database, null for one on this machine or verified. Throws where the driver can't use the address. */
export function databaseWeakness(url: string): string | null {
  // A client that is not connected opens nothing.
  const {
    host = "localhost",
    isDomainSocket,
    ssl,
  } = (new Client({ connectionString: url }) as unknown as { connectionParameters: Understood }).connectionParameters;
  if (isDomainSocket || isLoopback(host)) return null;
  if (!ssl) return "is elsewhere and reached without TLS";
  return isVerified(ssl) ? null : "is elsewhere, and nothing checks that it is the one that answers";
}

function isVerified(ssl: unknown): boolean {
  if (ssl === true) return true;
  if (typeof ssl !== "object" || ssl === null) return false;
  const { rejectUnauthorized, checkServerIdentity } = ssl as { rejectUnauthorized?: unknown; checkServerIdentity?: unknown };
  return rejectUnauthorized !== false && checkServerIdentity === undefined;
}

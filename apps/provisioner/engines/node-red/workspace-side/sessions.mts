/** Sessions of the editor. Tokens are stored as hashes: the customer's own code can read the flow files and this one. */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Node-RED's own default. */
const lifetimeMs = 7 * 24 * 3_600_000;
const mostSessions = 50;

export interface Sessions {
  /** A new token for the owner. */
  open(): string;
  /** The user behind a token, or null, in the form of Node-RED's `adminAuth.tokens`. */
  find(token: string): Promise<{ username: string; permissions: string } | null>;
  hasOwner(): boolean;
  setOwner(email: string): void;
  owner(): string | null;
}

interface Kept {
  owner: string | null;
  /** Token hash to expiry. */
  sessions: Record<string, number>;
}

const hash = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Sessions stored in `file`; if it is missing or damaged, there are none. */
export function createSessions(file: string): Sessions {
  const kept = read(file);
  const save = () => writeWhole(file, JSON.stringify(kept));
  return {
    open: () => {
      const token = randomBytes(32).toString("base64url");
      const now = Date.now();
      const live = Object.entries(kept.sessions)
        .filter(([, endsAtMs]) => endsAtMs > now)
        .toSorted((a, b) => b[1] - a[1]);
      kept.sessions = Object.fromEntries([[hash(token), now + lifetimeMs] as const, ...live].slice(0, mostSessions));
      save();
      return token;
    },
    find: async (token) => {
      const endsAtMs = typeof token === "string" ? kept.sessions[hash(token)] : undefined;
      return endsAtMs !== undefined && endsAtMs > Date.now() ? { username: kept.owner ?? "owner", permissions: "*" } : null;
    },
    hasOwner: () => kept.owner !== null,
    owner: () => kept.owner,
    setOwner: (email) => {
      kept.owner = email;
      save();
    },
  };
}

function read(file: string): Kept {
  try {
    const { owner, sessions } = JSON.parse(readFileSync(file, "utf8")) as Partial<Kept>;
    const live = Object.entries(sessions ?? {}).filter(([key, endsAtMs]) => /^[0-9a-f]{64}$/.test(key) && typeof endsAtMs === "number");
    return { owner: typeof owner === "string" ? owner : null, sessions: Object.fromEntries(live) };
  } catch {
    return { owner: null, sessions: {} };
  }
}

/** Writes a file atomically: after a kill it is either the old one or the new one. */
function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

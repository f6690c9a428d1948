/** Secrets given as files, as Docker, Kubernetes, systemd and the agents of vaults hand them over: `NAME_FILE` stands for `NAME`. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that are secrets, or addresses with one in them. */
export const secretSettings = [
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "DATABASE_URL",
  "SMTP_URL",
  "BACKUPS_URL",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "PADDLE_API_KEY",
  "PADDLE_WEBHOOK_SECRET",
  "TURNSTILE_SECRET_KEY",
  "SENTRY_DSN",
  "N8N_LICENSE_ACTIVATION_KEY",
] as const;

/** Far more than an address with all its parameters; a larger file is another one than was meant. */
const mostBytes = 16 * 1024;

/**
 * The environment with what the files hold in place of their names, and a line for each that cannot be used. The line end that editors leave is not part
 * of a secret. Nothing is guessed: both given, an empty file and a file of several lines are refused, since a secret that is silently missing or another one is worse.
 */
export function readSecretFiles(env: Environment): { env: Environment; problems: string[] } {
  const problems: string[] = [];
  const read: Record<string, string> = {};
  for (const name of secretSettings) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    const found = env[name] ? { problem: `${name} is given too; give one of the two` } : readSecret(resolve(path));
    if ("problem" in found) problems.push(`${name}_FILE: ${found.problem}`);
    else read[name] = found.secret;
  }
  return { env: Object.keys(read).length === 0 ? env : { ...env, ...read }, problems };
}

/** The words of a problem name the file and never what is in it. */
function readSecret(path: string): { secret: string } | { problem: string } {
  try {
    const { size } = lookAt(path);
    if (size > mostBytes) return { problem: `the file ${path} is too large to be a secret` };
    const secret = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    if (secret.trim() === "") return { problem: `the file ${path} is empty` };
    // oxlint-disable-next-line no-control-regex -- the very characters that no key and no address has
    return /[\u0000-\u001f\u007f\ufffd]/.test(secret)
      ? { problem: `the file ${path} must hold the secret alone, in one line of text` }
      : { secret };
  } catch (error) {
    return { problem: `the file ${path} can't be read (${(error as NodeJS.ErrnoException).code ?? "it is no file"})` };
  }
}

/** A pipe or a device would hold the start up, perhaps for ever. */
function lookAt(path: string): { size: number } {
  const file = statSync(path);
  if (!file.isFile()) throw new Error("not a file");
  return file;
}

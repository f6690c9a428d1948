/**
 * Secrets given as files, as Docker, Kubernetes, systemd and vault agents provide them: `NAME_FILE` is the path of a
 * file with the value of `NAME`.
 */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { providers } from "#payments/providers.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that are secrets or URLs containing one. */
export const secretSettings: readonly string[] = [
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "DATABASE_URL",
  "SMTP_URL",
  "BACKUPS_URL",
  ...Object.values(providers).flatMap(({ secrets }) => secrets),
  "TURNSTILE_SECRET_KEY",
  "SENTRY_DSN",
  "ALERTS_URL",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "N8N_LICENSE_ACTIVATION_KEY",
];

/** Far more than a URL with all its parameters; a larger file must be the wrong one. */
const mostBytes = 16 * 1024;

/**
 * The environment with the secrets from files, and a line for each file that cannot be used. A trailing line end is not part of the secret.
 * Nothing is guessed: setting both, an empty file and a file of several lines are problems, because a wrong or
 * missing secret would be worse.
 */
export function readSecretFiles(env: Environment): { env: Environment; problems: string[] } {
  const problems: string[] = [];
  const read: Record<string, string> = {};
  for (const name of secretSettings) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    const found = env[name] ? { problem: `${name} is set too; set only one of them` } : readSecret(resolve(path));
    if ("problem" in found) problems.push(`${name}_FILE: ${found.problem}`);
    else read[name] = found.secret;
  }
  return { env: Object.keys(read).length === 0 ? env : { ...env, ...read }, problems };
}

/** A problem names the file, never its content. */
function readSecret(path: string): { secret: string } | { problem: string } {
  try {
    const { size } = lookAt(path);
    if (size > mostBytes) return { problem: `the file ${path} is too large to be a secret` };
    const secret = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    if (secret.trim() === "") return { problem: `the file ${path} is empty` };
    // oxlint-disable-next-line no-control-regex -- characters that no key and no URL contains
    return /[\u0000-\u001f\u007f\ufffd]/.test(secret)
      ? { problem: `the file ${path} must contain only the secret, as one line of text` }
      : { secret };
  } catch (error) {
    return { problem: `the file ${path} can't be read (${(error as NodeJS.ErrnoException).code ?? "not a regular file"})` };
  }
}

/** Reading a pipe or a device could block the start forever. */
function lookAt(path: string): { size: number } {
  const file = statSync(path);
  if (!file.isFile()) throw new Error("not a file");
  return file;
}

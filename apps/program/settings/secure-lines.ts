/** Production requires TLS with a verified certificate for every connection that leaves the machine. No setting turns this off. */
import { readBackupsUrl } from "#domain/backups/storage/read-backups-url.ts";
import { smtpWeakness } from "#domain/mail/sending/smtp-security.ts";
import { databaseWeakness } from "#platform/postgres/database-security.ts";
import { isLoopback } from "#platform/http/is-loopback.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A line for each setting that would send data unencrypted or to an unverified server. Invalid URLs are reported elsewhere. */
export function lineProblems(env: Environment): string[] {
  return [
    ...databaseProblems(env["DATABASE_URL"]),
    ...mailProblems(env["SMTP_URL"]),
    ...backupProblems(env["BACKUPS_URL"]),
    ...webProblems(env),
    ...verificationProblems(env),
  ];
}

function databaseProblems(url: string | undefined): string[] {
  if (!url || !URL.canParse(url)) return [];
  try {
    const weakness = databaseWeakness(url);
    return weakness === null
      ? []
      : [
          `DATABASE_URL: the database ${weakness}. Add ?sslmode=verify-full, and &sslrootcert=/path/to/ca.pem for a certificate from your own authority`,
        ];
  } catch (error) {
    // Usually a certificate file that is missing. The driver's message could contain the URL, so it is not shown.
    return [
      `DATABASE_URL: the address or a file that it names can't be used (${(error as NodeJS.ErrnoException).code ?? "see the PostgreSQL client's parameters"})`,
    ];
  }
}

function mailProblems(url: string | undefined): string[] {
  if (!url || !URL.canParse(url)) return [];
  const weakness = smtpWeakness(url);
  return weakness === null ? [] : [`SMTP_URL: the address ${weakness}. Use smtps://…, or smtp://… with a server that offers STARTTLS`];
}

function backupProblems(url: string | undefined): string[] {
  const place = url ? readBackupsUrl(url) : "";
  if (typeof place === "string" || !place.endpoint) return [];
  return isPlainElsewhere(place.endpoint)
    ? ["BACKUPS_URL: s3+http:// does not use TLS, which production allows on this machine only; use s3://"]
    : [];
}

/** URLs that the server itself requests; browsers request the others and have their own rules. */
function webProblems(env: Environment): string[] {
  const names = [
    "TURNSTILE_VERIFY_URL",
    "BREACHED_PASSWORDS_URL",
    "VIES_URL",
    "EXCHANGE_RATES_URL",
    "SENTRY_DSN",
    "ALERTS_URL",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
  ];
  return names.filter((name) => isPlainElsewhere(env[name] ?? "")).map((name) => `${name}: production needs https for every other machine`);
}

function isPlainElsewhere(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === "http:" && !isLoopback(parsed.hostname);
}

/** Node's own switch, which would defeat every check above. */
function verificationProblems(env: Environment): string[] {
  return env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0"
    ? ["NODE_TLS_REJECT_UNAUTHORIZED: 0 turns certificate checks off; remove it, and add your own authority with NODE_EXTRA_CA_CERTS"]
    : [];
}

/** What production demands of every line that leaves the machine: TLS, and a certificate that was checked. There is no setting that says otherwise. */
import { readBackupsUrl } from "#domain/backups/storage/read-backups-url.ts";
import { smtpWeakness } from "#domain/mail/sending/smtp-security.ts";
import { databaseWeakness } from "#platform/postgres/database-security.ts";
import { isLoopback } from "#platform/http/is-loopback.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A line for each setting by which something would leave readable, or to whoever answers. Addresses that cannot be used at all are told of elsewhere. */
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
          `DATABASE_URL: the database ${weakness}. Add ?sslmode=verify-full, and &sslrootcert=/path/to/ca.pem where its certificate is by an authority of your own`,
        ];
  } catch (error) {
    // Most of all a certificate that is not where the address says; the driver's words could repeat the address.
    return [
      `DATABASE_URL: the address or a file that it names can't be used (${(error as NodeJS.ErrnoException).code ?? "see the PostgreSQL client's parameters"})`,
    ];
  }
}

function mailProblems(url: string | undefined): string[] {
  if (!url || !URL.canParse(url)) return [];
  const weakness = smtpWeakness(url);
  return weakness === null ? [] : [`SMTP_URL: the address ${weakness}. Take smtps://…, or smtp://… of a server that offers STARTTLS`];
}

function backupProblems(url: string | undefined): string[] {
  const place = url ? readBackupsUrl(url) : "";
  if (typeof place === "string" || !place.endpoint) return [];
  return isPlainElsewhere(place.endpoint)
    ? ["BACKUPS_URL: s3+http:// goes without TLS, which production takes for this machine only; take s3://"]
    : [];
}

/** What the server itself asks; other addresses are followed by browsers, which know their own rules. */
function webProblems(env: Environment): string[] {
  const names = [
    "TURNSTILE_VERIFY_URL",
    "BREACHED_PASSWORDS_URL",
    "VIES_URL",
    "EXCHANGE_RATES_URL",
    "SENTRY_DSN",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
  ];
  return names
    .filter((name) => isPlainElsewhere(env[name] ?? ""))
    .map((name) => `${name}: production needs https for what is not on this machine`);
}

function isPlainElsewhere(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === "http:" && !isLoopback(parsed.hostname);
}

/** Node's own switch, which would make every check above worth nothing. */
function verificationProblems(env: Environment): string[] {
  return env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0"
    ? [
        "NODE_TLS_REJECT_UNAUTHORIZED: 0 has every certificate believed; take it away, and give an authority of your own by NODE_EXTRA_CA_CERTS",
      ]
    : [];
}

/** Whether mails leave encrypted and reach the right server: judged by how nodemailer reads the URL, not by how it looks. */
import { createTransport } from "nodemailer";
import { isLoopback } from "#platform/http/is-loopback.ts";

interface Understood {
  host?: string;
  secure?: boolean;
  requireTLS?: boolean;
  service?: unknown;
  secured?: unknown;
  tls?: { rejectUnauthorized?: unknown };
}

/** Parameters of the URL override the program's options, so that requiring TLS is not enough. */
const understand = (url: string): Understood =>
  (createTransport({ url, requireTLS: true, pool: true }) as unknown as { options: Understood }).options;

/** A server on this machine may be unencrypted; every other one needs TLS. */
export const needsTls = (url: string): boolean => !isLoopback(understand(url).host ?? "localhost");

/** What in the URL would let a mail leave readable, or go to an unverified server; null if nothing does. */
export function smtpWeakness(url: string): string | null {
  const { host, secure, requireTLS, service, secured, tls } = understand(url);
  if (service !== undefined || secured !== undefined) return "names a service instead of a server, or a foreign socket";
  if (isLoopback(host ?? "localhost")) return null;
  if (!secure && requireTLS !== true) return "has requireTLS=false, which lets mails go out unencrypted";
  return tls?.rejectUnauthorized === false ? "has tls.rejectUnauthorized=false, which believes every server" : null;
}

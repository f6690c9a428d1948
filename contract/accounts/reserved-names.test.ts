import { expect, test } from "vitest";
import { accountName } from "../api/fields.ts";
import { isReservedAccountName } from "./reserved-names.ts";

// By kind: signing in, the service, what it runs, hosting panels, mailboxes (RFC 2142), discovery, machines, encoded names.
const refused = [
  "signin sso oauth secure verify rechnung passwort",
  "www support no-reply noreply donotreply impressum",
  "n8n nodered node-red",
  "cpanel whm plesk phpmyadmin webdisk cpcontacts",
  "info marketing sales abuse noc security postmaster hostmaster usenet news webmaster uucp ftp mailserver webmail ssladmin",
  "autoconfig autodiscover wpad isatap mta-sts teredo lyncdiscover enterpriseenrollment",
  "ns1 ns-1 www-2 ns12 mx02 www3 mail9 smtp1 dns0",
  "xn--slpway-n2a ab--cd",
  "my-account login-secure support-team help-desk verify-login secure-payment account-support n8n-support",
  "sign-in-here log-on-now support-24-7 help--desk mein-konto konto-sicherheit hilfe-center slipway-billing webmail-login",
].flatMap((kind) => kind.split(" "));
test.each(refused)("%s is nobody's account name", (name) => expect(isReservedAccountName(name)).toBe(true));

test.each([
  "acme",
  "ada-lovelace",
  "verify-co",
  "a--b",
  "abc--d",
  "login2u",
  "it-works",
  "n8n-fans",
  "ns-works",
  "mail2day",
  "www123",
  "acme-mail",
  // With a word that says whose it is, names are ordinary; and so are those that ask for no trust.
  "support-group-berlin",
  "account-tech",
  "help-people",
  "pay-by-heart",
  "secure-it-gmbh",
  "login-lab",
  "sign-makers",
  "my-team",
  "cloud-forum",
  "news-app",
  "team-24",
])("%s may be one", (name) => expect(isReservedAccountName(name)).toBe(false));

test("a name with an underscore is no account name at all", () => {
  for (const name of ["_dmarc", "_acme-challenge", "_domainkey"]) expect(accountName.safeParse(name).success).toBe(false);
});

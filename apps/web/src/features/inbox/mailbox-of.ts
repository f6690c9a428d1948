/** Where people with these addresses read their mail. Only mailboxes that most of a provider's customers read in a browser. */
const mailboxes: readonly [provider: string, url: string, domains: readonly string[]][] = [
  ["Gmail", "https://mail.google.com/mail/", ["gmail.com", "googlemail.com"]],
  ["Outlook", "https://outlook.live.com/mail/", ["outlook.com", "outlook.de", "hotmail.com", "hotmail.de", "live.com", "msn.com"]],
  ["Yahoo Mail", "https://mail.yahoo.com/", ["yahoo.com", "yahoo.de", "yahoo.co.uk", "yahoo.fr"]],
  ["iCloud Mail", "https://www.icloud.com/mail/", ["icloud.com", "me.com", "mac.com"]],
  ["Proton Mail", "https://mail.proton.me/", ["proton.me", "protonmail.com", "pm.me"]],
  ["GMX", "https://www.gmx.net/", ["gmx.de", "gmx.net", "gmx.at", "gmx.ch"]],
  ["WEB.DE", "https://web.de/", ["web.de"]],
];

/** Null where the address does not say. */
export function mailboxOf(email: string): { provider: string; url: string } | null {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const found = mailboxes.find(([, , domains]) => domains.includes(domain));
  return found ? { provider: found[0], url: found[1] } : null;
}

/**
 * Account names are host labels next to the panel's. Some are reserved or misleading, and refused as taken at a registration only: an account
 * that has such a name keeps it. Names with an underscore, such as `_dmarc`, fit no account (contract/api/fields.ts).
 */

/** Where people would type a password or pay, in the languages of the panel. */
const signing =
  "account accounts admin administrator anmelden anmeldung auth authenticate authentication billing checkout console dashboard forgot-password id identity idp invite invoice invoices kasse konto log-in log-out login logout manage mfa my oauth oauth2 oidc panel passkey password passwords passwort pay payment payments portal profile rechnung rechnungen recover recovery register reset reset-password saml secure session settings sicherheit sign-in sign-out sign-up signed-in signin signout signup sso sso-login subscribe subscription token trial unlock unsubscribe user users verification verify webauthn zahlung zahlungen";

/** The service and who speaks for it. */
const service =
  "about abuse anonymous app apps blog careers cloud community compliance contact contact-us copyright customer-service customer-support customers datenschutz do-not-reply docs donotreply download downloads enterprise everyone finance forum guest hello help helpdesk hilfe home hr impressum info it jobs kontakt kundendienst legal marketing news no-reply nobody noreply null official operator ops owner partners postfach press pricing privacy sales security service services slipway staff status superuser support sysadmin sysop team terms trust undefined webmaster webteam workspace workspaces www";

/** Parts of the service, now or later, what it runs, and the panels that hosting services have. */
const technical =
  "admin-panel adminer api assets backup backups beta cdn ci cpanel cpcalendars cpcontacts db demo dev directadmin edge firewall gateway git grafana graphql host hosting internal jenkins kibana kubernetes local localhost metrics monitoring n8n n8n-io n8nio node node-red nodered origin phpmyadmin plesk pma postgres preview prod production prometheus proxy redis registry root roundcube router s3 sandbox server stage staging static storage system test testing traefik uploads vault vpn webadmin webdisk webhook webhooks webhost webmin whm";

/**
 * Names that mail servers, browsers, phones and networks look up by themselves (autoconfiguration, proxy and tunnel discovery), mailboxes of
 * RFC 2142, and those at which certificate authorities ask for a domain (ssladmin and the like once were).
 */
const network =
  "adfs arpa autoconfig autodiscover bimi bounce bounces broadcasthost caldav carddav certauth daemon dhcp dkim dmarc dns email enterpriseenrollment enterpriseregistration exchange ftp hostmaster imap imaps in-addr ip6 ipv4 ipv6 isatap kerberos ldap ldaps list lists listserv localdomain lyncdiscover mail mailer mailer-daemon mailerdaemon mailhost mailing mailserver mis msoid mta-sts mx news-groups newsletter newsletters nntp noc ns ntp openid-configuration openpgpkey owa pki pop pop3 pop3s postmaster rdp registrar relay resolver rsync sftp sip sip-tls sipinternal smb smtp smtps soa spf ssh ssladmin ssladministrator sslwebmaster stun telnet teredo tftp turn usenet uucp webmail well-known whois wpad xmpp";

const reserved: ReadonlySet<string> = new Set([signing, service, technical, network].flatMap((names) => names.split(" ")));

/** The machines of a service: ns1, mx02, www2. */
const isMachine = (name: string): boolean =>
  /^(?:cdn|db|dns|ftp|host|imap|mail|mx|node|ns|pop|proxy|relay|server|smtp|vpn|web|www)-?\d{1,2}$/.test(name);

/** An encoded international name: browsers show it as other letters, which may look like another account's name (RFC 5890, 2.3.1). */
const isEncoded = (name: string): boolean => name.slice(2, 4) === "--";

/** Those who are asked for help, or write to customers. With the places of `signing`, they are what an imitated service is called. */
const helping = "help helpdesk hilfe hotline kundendienst noreply official security support sysadmin webmaster";
/** Of `signing`, what is a password or a payment only to those who look for it. */
const harmless = new Set(["id", "idp", "my", "user", "users"]);
/** What asks for trust when it stands beside nothing but words of its kind. */
const asking: ReadonlySet<string> = new Set(
  `${signing} ${helping} logon logoff signon safe sicher sichern`.split(" ").filter((word) => !harmless.has(word)),
);
/** Words that say nothing of who it is; so do all reserved names. */
const companions: ReadonlySet<string> = new Set(
  "alert alerts and center centre client clients customer customers desk email here ihr kunde kunden live mein member members new notice now of on online our page red site the to und unser update web your zentrum".split(
    " ",
  ),
);

/**
 * A phishing page's name: words joined by hyphens of which at least one asks for trust, and none says whose it is (my-account, login-secure,
 * support-team-24). A word of its bearer makes it a name like any other (support-group-berlin, account-tech).
 */
function asksForTrust(name: string): boolean {
  const words = name.replace(/\b(sign|log)-(?=(?:in|on|out|off|up)\b)/g, "$1").split(/-+/);
  const isAnyones = (word: string) => asking.has(word) || reserved.has(word) || companions.has(word) || /^\d+$/.test(word);
  return words.length > 1 && words.every(isAnyones) && words.some((word) => asking.has(word));
}

/** Whether no account may have this name, in lower case. */
export const isReservedAccountName = (name: string): boolean =>
  reserved.has(name) || isMachine(name) || isEncoded(name) || asksForTrust(name);

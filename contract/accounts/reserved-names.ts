/** Account names are host labels next to the panel's. Some are reserved or misleading, and refused as taken. */

/** Where people would type a password or pay. */
const signing =
  "account accounts admin administrator auth authenticate authentication billing checkout console dashboard forgot-password id identity idp invite invoice invoices login logout manage mfa my oauth oauth2 oidc panel passkey password passwords pay payment payments portal profile recover recovery register reset saml secure session settings sign-in sign-up signin signout signup sso subscription token trial unlock user users verification verify webauthn";

/** The service and who speaks for it. */
const service =
  "about abuse app apps blog careers cloud community compliance contact docs download downloads enterprise finance forum hello help helpdesk home hr info it jobs legal marketing news official operator ops press pricing privacy sales security slipway staff status support team terms trust webmaster workspace workspaces www www1 www2";

/** Parts of the service, now or later. */
const technical =
  "api assets backup backups beta cdn ci db demo dev edge gateway git grafana graphql host internal local localhost metrics monitoring node origin preview prod production proxy registry root s3 sandbox stage staging static storage system test testing uploads vault vpn webhook webhooks";

/** Names that mail servers, browsers and networks look up by themselves (RFC 2142, autoconfiguration, proxy discovery). */
const network =
  "autoconfig autodiscover bimi caldav carddav dkim dmarc dns dns0 dns1 dns2 email ftp hostmaster imap isatap ldap mail mail1 mail2 mailer-daemon mailhost mta-sts mx mx0 mx1 mx2 news-groups ns ns0 ns1 ns2 ns3 ns4 ntp openpgpkey pop pop3 postmaster relay rsync sftp sip sipinternal smtp spf ssh stun turn usenet webmail wpad xmpp";

const reserved: ReadonlySet<string> = new Set([signing, service, technical, network].flatMap((names) => names.split(" ")));

/** An encoded international name: browsers show it as other letters, which may look like another account's name (RFC 5890, 2.3.1). */
const isEncoded = (name: string): boolean => name.slice(2, 4) === "--";

/** Whether nobody may have this account name, in lower case. */
export const isReservedAccountName = (name: string): boolean => reserved.has(name) || isEncoded(name);

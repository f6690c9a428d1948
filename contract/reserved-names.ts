/** Account names are host labels beside the panel; these are ours, or would mislead people, and are refused as taken. */
export const reservedAccountNames: ReadonlySet<string> = new Set([
  "about", "abuse", "account", "accounts", "admin", "administrator", "api", "app", "apps", "assets", "auth", "backup",
  "billing", "blog", "careers", "cdn", "checkout", "cloud", "community", "console", "contact", "dashboard", "dev",
  "docs", "download", "email", "enterprise", "forum", "ftp", "gateway", "git", "hello", "help", "home", "host",
  "hostmaster", "imap", "info", "internal", "invite", "legal", "localhost", "login", "logout", "mail", "manage",
  "marketing", "metrics", "mta-sts", "news", "operator", "ops", "panel", "password", "pay", "payments", "pop", "postmaster",
  "press", "pricing", "privacy", "register", "root", "sales", "sandbox", "security", "settings", "signup", "slipway",
  "smtp", "staff", "staging", "static", "status", "support", "system", "team", "terms", "test", "trial", "webhook",
  "webhooks", "webmail", "webmaster", "workspace", "workspaces", "www",
]);

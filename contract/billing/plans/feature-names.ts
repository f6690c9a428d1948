/** The names of plan features without a number, as the panel and mails show them. */
export const featureNames = {
  "advanced-permissions": "Advanced permissions",
  "admin-roles": "Admin roles",
  "global-variables": "Global variables",
  "execution-search": "Execution search",
  ldap: "LDAP",
  environments: "Environments",
  "external-secrets": "External secrets",
  "log-streaming": "Log streaming",
  "version-control": "Version control",
  scaling: "Scaling",
  "extended-retention": "Extended retention",
  "dedicated-support": "Dedicated support",
  "invoice-billing": "Invoice billing",
} as const;

/** What a smaller plan takes away, in words for the owner. */

const featureLabels: Readonly<Record<string, string>> = {
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
};

const number = (value: number) => value.toLocaleString("en-US");

export const changeWords = {
  workflows: (active: number, plan: string, limit: number) => `${number(active)} workflows are active and ${plan} allows ${number(limit)}: no other workflow can be activated until ${number(limit)} or fewer are active.`,
  executions: (used: number, plan: string, limit: number) => `${number(used)} executions are used in this period and ${plan} allows ${number(limit)}: workflows stop running until the next period begins.`,
  feature: (id: string, plan: string) => (featureLabels[id] ? `${featureLabels[id]} is not part of ${plan}.` : null),
} as const;

/**
 * The whole data model, with one file per topic. Only stores read and write it; migrations are generated from
 * it (`npm run migration`). Money is in minor units, times are timestamptz, secrets are hashes or encrypted. This is the only
 * module that re-exports others, because queries and drizzle-kit take the model as a whole.
 */
export * from "./tables/accounts.ts";
export * from "./tables/billing.ts";
export * from "./tables/invoices.ts";
export * from "./tables/hosts.ts";
export * from "./tables/workspaces.ts";
export * from "./tables/blanks.ts";
export * from "./tables/updates.ts";
export * from "./tables/usage.ts";
export * from "./tables/backups.ts";
export * from "./tables/service.ts";
export * from "./tables/sandbox.ts";

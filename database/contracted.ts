/**
 * Statements of migrations after `oldestProgram` that look as if they took something from an earlier program, and why they do not. The test
 * of oldest-program.ts names a statement that is missing here.
 */
const writesLife = "Every program since 0010 gives each update and restore its life.";

const sameValues = "The lists are those of the program before, too, and it wrote nothing else.";
const money = "Every program since 0010 changes only these columns of money, and deletes none of its rows.";
const notUnique = "None of these indexes is unique, so no `on conflict` needs one; each is made again in the same file.";
const fillsHost = "It fills in a column that the program before does not know, and refuses nothing.";

export const contracted: readonly { migration: string; statement: string | RegExp; because: string }[] = [
  {
    migration: "0052_life_without_default",
    statement: 'ALTER TABLE "workspace_updates" ALTER COLUMN "life" DROP DEFAULT',
    because: writesLife,
  },
  { migration: "0052_life_without_default", statement: 'ALTER TABLE "restores" ALTER COLUMN "life" DROP DEFAULT', because: writesLife },
  {
    migration: "0053_rules",
    statement: /^ALTER TABLE "\w+" ADD CONSTRAINT "\w+_(?:listed|not_negative|day|lowercase)" CHECK /,
    because: sameValues,
  },
  { migration: "0053_rules", statement: /^CREATE TRIGGER "(?:invoices|payments)_(?:for_good|never_emptied)" /, because: money },
  { migration: "0053_rules", statement: /^CREATE TRIGGER "(?:backups|exports|workspaces)_host" /, because: fillsHost },
  { migration: "0051_erase_account", statement: 'DROP INDEX "accounts_to_erase"', because: notUnique },
  {
    migration: "0051_erase_account",
    statement: /^CREATE TRIGGER "audit_log_only_blanked" /,
    because: "Every program before was refused each change of the audit log, too.",
  },
  { migration: "0053_rules", statement: /^DROP INDEX "\w+"$/, because: notUnique },
  {
    migration: "0053_rules",
    statement: /^ALTER TABLE "(?:invoices|payments)" DROP CONSTRAINT "\w+_fk"$/,
    because: "A reference to the same row and account takes its place.",
  },
  {
    migration: "0053_rules",
    statement: /^ALTER TABLE "\w+" ADD CONSTRAINT "\w+_of_account" UNIQUE\("id","account_id"\)$/,
    because: "The id alone is unique.",
  },
  {
    migration: "0053_rules",
    statement: /^ALTER TABLE "(?:invoices|payments)" ADD CONSTRAINT "\w+_own" FOREIGN KEY /,
    because: "Every program writes corrections and payments with the account of their invoice.",
  },
];

/**
 * Statements of migrations after `oldestProgram` that look as if they took something from an earlier program, and why they do not. The test
 * of oldest-program.ts names a statement that is missing here.
 */
const writesLife = "Every program since 0010 gives each update and restore its life.";

export const contracted: readonly { migration: string; statement: string; because: string }[] = [
  {
    migration: "_life_without_default",
    statement: 'ALTER TABLE "workspace_updates" ALTER COLUMN "life" DROP DEFAULT',
    because: writesLife,
  },
  { migration: "_life_without_default", statement: 'ALTER TABLE "restores" ALTER COLUMN "life" DROP DEFAULT', because: writesLife },
];

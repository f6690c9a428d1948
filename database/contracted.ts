/**
 * Statements of migrations after `oldestProgram` that look as if they took something from an earlier program, and why they do not. The test
 * of oldest-program.ts names a statement that is missing here.
 */
export const contracted: readonly { migration: string; statement: string; because: string }[] = [];

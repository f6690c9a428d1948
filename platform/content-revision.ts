/** Recognises by content whether something was changed since it was read (decision 0046). */
import { createHash } from "node:crypto";

/** The same for the same values in the same order, and another one after every change. */
export const contentRevision = (values: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, 22);

/**
 * The most used passwords of the world, from the list of zxcvbn-ts (MIT): 17,950 of them have 8 characters or more. Read when the
 * first password is chosen (some 25 ms, then 1.3 MB of heap), so that neither a start nor a process without sign-ups pays for it.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Shorter ones are refused before they come here. */
const shortestPassword = 8;

/** The file alone: the package's entry would keep three times as much in memory, dictionaries and keyboards that nobody asks. */
const file = "@zxcvbn-ts/language-common/src/passwords.json";

let known: Promise<ReadonlySet<string>> | undefined;

/** Lower-case, none of them shorter than a password may be. Read once; a failed read is tried again by the next who asks. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= readList().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** Whether it is one of the most used, however its letters are capitalised. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonPasswords()).has(password.toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const all = JSON.parse(await readFile(fileURLToPath(import.meta.resolve(file)), "utf8")) as string[];
  return new Set(all.filter((password) => password.length >= shortestPassword));
}

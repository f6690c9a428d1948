/**
 * The most common passwords, from the list of zxcvbn-ts (MIT): 17,950 of them have at least 8 characters. Loaded when the first
 * password is chosen (about 25 ms and 1.3 MB of heap), so that starts and processes without sign-ups do not pay for it.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { knownOnce } from "#platform/loops/known-once.ts";

/** Shorter passwords are refused earlier. */
const shortestPassword = 8;

/** Only this file, because the package's entry would load unused dictionaries and keyboards and triple the memory. */
const file = "@zxcvbn-ts/language-common/src/passwords.json";

/** In lower case, none shorter than a password may be. Read once; after a failure, the next call tries again. */
export const commonPasswords = knownOnce(readList);

/** Whether it is one of the most common passwords, in any capitalization. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonPasswords()).has(password.toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const all = JSON.parse(await readFile(fileURLToPath(import.meta.resolve(file)), "utf8")) as string[];
  return new Set(all.filter((password) => password.length >= shortestPassword));
}

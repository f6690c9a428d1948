/** Turns system errors into messages for the journal. */
import { DriverFailure, type DriverFailureCode } from "./driver.ts";

/** The last is tar's message about a partly written file. */
const noRoomWords = /no space left|disk quota exceeded|wrote only \d+ of/i;

/** The failure as a DriverFailure: `no_room` when the disk is full, otherwise `code`. A DriverFailure stays what it is. */
export function asDriverFailure(error: unknown, code: DriverFailureCode, what: string): DriverFailure {
  if (error instanceof DriverFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isNoRoom(error) || noRoomWords.test(message))
    return new DriverFailure("no_room", `${what}: no space left on the disk`, { cause: error });
  return new DriverFailure(code, `${what}: ${message}`, { cause: error });
}

/** Throws it as a DriverFailure. */
export function fail(error: unknown, code: DriverFailureCode, what: string): never {
  throw asDriverFailure(error, code, what);
}

/** Whether this is a system error with this code, such as ENOENT. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

const isNoRoom = (error: unknown): boolean => hasCode(error, "ENOSPC", "EDQUOT");

/** Identifiers that sort by creation time, so that indexes grow at one end (RFC 9562, UUID version 7). */
import { randomFillSync } from "node:crypto";

const idBytes = 16;
/** Random bytes for 256 ids: a system call for each costs ten times as much as the rest. */
const random = Buffer.allocUnsafe(256 * idBytes);
let used = random.length;

/** Whether the text is an id of ours, as `newId` and PostgreSQL write them. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** A new UUIDv7: 48 bits of milliseconds, 74 random bits. */
export function newId(nowMs: number = Date.now()): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const bytes = random.subarray(used, (used += idBytes));
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** How much of a workspace's memory the body of a request may take. */
import type { IncomingMessage } from "node:http";

const bytesInAMb = 1024 * 1024;

/**
 * What a call may take: 120 at once of a webhook with a Code node ended an n8n of 1,024 MB, and up to 32 were answered
 * (docs/security/attacks.md).
 */
export const placeMb = 32;
export const placeBytes = placeMb * bytesInAMb;

/**
 * A body is in memory as data, as text and as objects, and the objects again in what is saved: about 8 times what was sent. Only a third of a
 * workspace's memory is for that; the rest is n8n as it idles and the process of its Code nodes (engines/n8n/n8n-memory.ts).
 */
const memoryPerByte = 24;

/** Above these, n8n answers 413 before it reads on: an owner may set this one for other bodies, and this is the usual one. */
const mostBodyBytes = 64 * bytesInAMb;
const usualBodyBytes = 16 * bytesInAMb;
/** Of a form's fields; its files go to the disk. */
const mostFieldsBytes = 20 * bytesInAMb;
/** Zeros become a thousandth. */
const mostCompression = 1000;

/** Whether only its end shows how large the body is. */
export const isOfUnknownSize = ({ headers }: IncomingMessage): boolean => headers["transfer-encoding"] !== undefined;

/** In bytes; for a body without a length as long as it has not arrived, and for a compressed one, what it can take at most. */
export function memoryOfBody(req: IncomingMessage): number {
  const { "content-length": length, "content-type": type, "content-encoding": encoding } = req.headers;
  const sent = isOfUnknownSize(req) ? (req.complete ? req.readableLength : usualBodyBytes) : Number(length ?? 0);
  if (type?.toLowerCase().startsWith("multipart/")) return Math.min(sent, mostFieldsBytes) * memoryPerByte;
  if (encoding === undefined || encoding === "identity") return Math.min(sent, mostBodyBytes) * memoryPerByte;
  return Math.min(sent * mostCompression, usualBodyBytes) * memoryPerByte;
}

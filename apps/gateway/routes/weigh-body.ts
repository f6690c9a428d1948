/** How much of a workspace's memory the body of a request may take. */
import type { IncomingMessage } from "node:http";
import { hasBody } from "../upstream/request-body.ts";
import type { QueuedCall } from "./call-queue.ts";

const bytesInAMb = 1024 * 1024;

/**
 * One place. A call of a form, of a trigger of an app, or of a webhook with an expression takes 11 MB for an isolate of n8n's expressions,
 * until its execution begins or ends: 32 at once ended an n8n of 1,024 MB, which idles at 650 with the process of its Code nodes. 16 leave
 * room for their bodies.
 */
export const placeMb = 64;

/**
 * A body is in memory as data, as text and as objects, and the objects again in what is saved: about 8 times what was sent. Only a third of a
 * workspace's memory is for that and for its calls.
 */
const memoryPerByte = 24;

/** Above these, n8n answers 413 before it reads on: an owner may set this one for other bodies, and this is the usual one. */
const mostBodyBytes = 64 * bytesInAMb;
const usualBodyBytes = 16 * bytesInAMb;
/** Of a form's fields; its files go to the disk. */
const mostFieldsBytes = 20 * bytesInAMb;
/** Zeros become a thousandth. */
const mostCompression = 1000;

export interface WeighedBody extends QueuedCall {
  /** Call it once a body without a length was passed on as a whole. */
  notePassedOn(bytes: number): void;
}

/** In places, without the one of the call itself. A body without a length weighs what it can become, until it has arrived. */
export function weighBody(req: IncomingMessage): WeighedBody {
  const isOfUnknownSize = req.headers["transfer-encoding"] !== undefined;
  const isPresent = hasBody(req);
  let arrivedBytes: number | null = isOfUnknownSize ? null : Number(req.headers["content-length"] ?? 0);
  return {
    isUploading: () => isPresent && !req.complete,
    weight() {
      if (arrivedBytes === null && req.complete && !req.readableDidRead) arrivedBytes = req.readableLength;
      return memoryOf(req, arrivedBytes ?? usualBodyBytes) / (placeMb * bytesInAMb);
    },
    notePassedOn: (bytes) => void (arrivedBytes = bytes),
  };
}

/** In bytes; for a compressed body, what it can take at most. */
function memoryOf({ headers }: IncomingMessage, bytes: number): number {
  const { "content-type": type, "content-encoding": encoding } = headers;
  if (type?.toLowerCase().startsWith("multipart/")) return Math.min(bytes, mostFieldsBytes) * memoryPerByte;
  if (encoding === undefined || encoding === "identity") return Math.min(bytes, mostBodyBytes) * memoryPerByte;
  return Math.min(bytes * mostCompression, usualBodyBytes) * memoryPerByte;
}

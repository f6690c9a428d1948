/**
 * n8n and its code runner exchange files as JSON, with a number for each byte: 16 MB become 57 MB of text and an array of 128 MB, too much
 * for a workspace of 1 GB. This makes both send and read base64 instead.
 */
import type { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface ShortBuffer {
  type: "Buffer";
  encoding: "base64";
  data: string;
}

const isShort = (value: unknown): value is ShortBuffer =>
  typeof value === "object" &&
  value !== null &&
  (value as ShortBuffer).type === "Buffer" &&
  (value as ShortBuffer).encoding === "base64" &&
  typeof (value as ShortBuffer).data === "string";

/** The same value with buffers as base64. */
export const shorten = (value: unknown): unknown =>
  Buffer.isBuffer(value) ? ({ type: "Buffer", encoding: "base64", data: value.toString("base64") } satisfies ShortBuffer) : value;

/** Makes the n8n that `require` finds read base64 wherever it reads its own form of a buffer. */
export function readShortBuffers(require: ReturnType<typeof createRequire>): void {
  const n8nCore = require(join(dirname(require.resolve("n8n-core")), "utils", "serialized-buffer.js")) as {
    isSerializedBuffer(value: unknown): boolean;
    toBuffer(value: { data: unknown }): Buffer;
  };
  const { isSerializedBuffer, toBuffer } = n8nCore;
  n8nCore.isSerializedBuffer = (value) => isShort(value) || isSerializedBuffer(value);
  n8nCore.toBuffer = (value) => (isShort(value) ? Buffer.from(value.data, "base64") : toBuffer(value));
}

/** The owner's error message when a node passes too much. */
export const tooMuch = (sizeMb: number, limitMb: number): string =>
  `This Code node passes ${Math.ceil(sizeMb)} MB at once, and this workspace's memory allows ${limitMb} MB. Process fewer items at a time with a loop, or choose a plan with more memory.`;

export const bytesInAMb = 1024 * 1024;

/** The size in megabytes that `value` will have in a message, if it is a buffer. */
export const bufferMb = (value: unknown): number => (Buffer.isBuffer(value) ? (value.length * 4) / 3 / bytesInAMb : 0);

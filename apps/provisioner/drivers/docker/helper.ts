/**
 * Runs shell scripts in a workspace's folder: each in a separate container, with the workspace's permissions, that exists for as long as
 * the script runs.
 */
import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { DriverFailure } from "../driver.ts";
import { tooLargeCode } from "../storage-scripts.ts";
import { helperOptions } from "./container-options.ts";
import { createContainer, namesOf, startContainer, waitForContainer, type DockerHost } from "./docker-host.ts";
import { findHelperImage } from "./find-image.ts";
import { removeContainer } from "./run-container.ts";

/** Enough for the names of a few hundred files. */
const mostSaid = 16_000;
/** Precedes each piece of output: one byte for the stream, three zero bytes, and four for the length. */
const headerBytes = 8;
const standardError = 2;

interface Helper {
  /** Its standard input, and its output in the service's frames. */
  line: Duplex;
  /** Its standard output; read it to its end before `ended`. */
  output(): AsyncGenerator<Buffer>;
  /** Its standard error, so far. */
  said(): string;
  /** Throws unless it ends with one of these exit codes. */
  ended(good: readonly number[]): Promise<void>;
  /** Ends it in any case, and removes its container. */
  remove(): Promise<void>;
}

/** Starts the script with these arguments. The caller removes it. */
export async function startHelper(host: DockerHost, workspaceId: string, script: string, args: readonly string[]): Promise<Helper> {
  const name = `${namesOf(workspaceId).helper}${randomBytes(6).toString("hex")}`;
  const image = await findHelperImage(host, workspaceId);
  const id = await createContainer(host, await helperOptions(host, { workspaceId, image, name, script: [script, "sh", ...args] }));
  let said = "";
  const remove = () => removeContainer(host, id);
  try {
    const line = await host.docker.attach(id, ["stdin", "stdout", "stderr"]);
    await startContainer(host, id);
    return {
      line,
      said: () => said,
      output: () => readOutput(line, (text) => (said = (said + text).slice(0, mostSaid))),
      async ended(good) {
        const code = await waitForContainer(host, id);
        if (code === tooLargeCode) throw new DriverFailure("storage_too_large", said.trim());
        if (!good.includes(code)) throw new Error(said.trim() || `it ended with ${code}`);
      },
      remove: async () => {
        line.destroy();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function* readOutput(line: Duplex, say: (text: string) => void): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let left = 0;
  let isError = false;
  for await (const chunk of line) {
    held = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer]);
    for (;;) {
      if (left === 0) {
        if (held.length < headerBytes) break;
        isError = held[0] === standardError;
        left = held.readUInt32BE(4);
        held = held.subarray(headerBytes);
      }
      const piece = held.subarray(0, left);
      if (piece.length === 0) break;
      left -= piece.length;
      held = held.subarray(piece.length);
      if (isError) say(piece.toString());
      else yield piece;
    }
  }
}

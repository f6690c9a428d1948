/**
 * Runs a program in a pod's container, with flow control in both directions: a slow reader slows the program down, instead of filling our
 * memory.
 */
import { PassThrough, Readable, Writable } from "node:stream";
import type { V1Status } from "@kubernetes/client-node";
import { TookTooLong } from "#platform/loops/within.ts";
import type { Cluster } from "../open-cluster.ts";
import { nodeInImage } from "../../container/image-places.ts";
import { containerName } from "../workspace-objects.ts";

interface RunInPod {
  stdout: Readable;
  /** What it wrote to its error output so far, at most 16,000 characters. */
  said(): string;
  /** Its exit code. Rejects if the connection ends before the cluster has reported it, or is silent for too long. */
  ended: Promise<number>;
  send(chunk: Buffer): Promise<void>;
  /** Ends the connection. The program may continue to run. */
  close(): void;
}

const mostSaid = 16_000;
/** Output that has not been read yet. */
const mostHeld = 1024 * 1024;

export async function execInPod(cluster: Cluster, pod: string, command: string[], takesInput = false): Promise<RunInPod> {
  let said = "";
  // Emits "drain" after every write that had to wait for its reader: with a larger bound, there would be none for smaller writes.
  const stdout = new PassThrough({ readableHighWaterMark: mostHeld, writableHighWaterMark: 1 });
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (said.length < mostSaid) said = (said + chunk.toString()).slice(0, mostSaid);
      done();
    },
  });
  const end = Promise.withResolvers<number>();
  // A caller that left early does not use it.
  end.promise.catch(() => undefined);
  // The client would send this stream without flow control, so it stays empty and only indicates that there is input.
  const stdin = takesInput ? new Readable({ read: () => undefined }) : null;
  const tellEnd = (status: V1Status) => end.resolve(exitCodeOf(status));
  const { silenceMs } = cluster.limits;
  const socket = await cluster.exec
    .exec(cluster.namespace, pod, containerName, command, stdout, stderr, stdin, false, tellEnd)
    .catch((event: unknown) => {
      throw openingFailure(event);
    });
  const fail = (lost: Error): void => {
    end.reject(lost);
    if (!stdout.writableEnded) stdout.destroy(lost);
  };
  let isClosed = false;
  const silent = setTimeout(() => {
    // It waits for its reader, which may take long.
    if (socket.isPaused) return heard();
    fail(new TookTooLong(`a program in the pod was silent: its next output took longer than ${silenceMs} ms`));
    socket.terminate();
  }, silenceMs).unref();
  const heard = (): void => {
    if (!isClosed) silent.refresh();
  };
  const lose = (): void => fail(new Error("the connection to the pod ended before its program did"));
  // Its readers get the error as well; there may be none.
  stdout.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
    clearTimeout(silent);
    lose();
  });
  socket.on("error", lose);
  socket.on("message", () => {
    heard();
    if (stdout.writableLength + stdout.readableLength < mostHeld || socket.isPaused) return;
    socket.pause();
    stdout.once("drain", () => socket.resume());
  });
  return {
    stdout,
    said: () => said,
    ended: end.promise,
    send: (chunk) =>
      new Promise((resolve, reject) => {
        // The first byte identifies the stream: 0 is its input.
        socket.send(Buffer.concat([Buffer.of(0), chunk]), (error?: Error) => {
          heard();
          if (error) reject(error);
          else resolve();
        });
      }),
    close: () => socket.close(),
  };
}

/** The client rejects with an event instead of an error. */
function openingFailure(event: unknown): Error {
  const { message } = event as { message?: unknown };
  return new Error(`the connection to the pod could not be opened: ${typeof message === "string" ? message : "no reason given"}`, {
    cause: event,
  });
}

/** Rejects for a program that could not be started, for example in a container at its limit of processes. */
async function exitCodeOf({ status, message, details }: V1Status): Promise<number> {
  if (status === "Success") return 0;
  const code = details?.causes?.find(({ reason }) => reason === "ExitCode")?.message;
  if (code === undefined) throw new Error(message ?? "the program could not be run");
  return Number(code);
}

// The protocol cannot say that the input has ended without losing the exit code, so each piece has its length in front, and one of length 0
// is the end. Input that breaks off is no end: then the program is killed before it has read one.
const receiver = `
const child = require("node:child_process").spawn("/bin/sh", ["-c", ...process.argv.slice(1)], { stdio: ["pipe", "inherit", "inherit"] });
child.on("exit", (code) => process.exit(code ?? 70));
child.stdin.on("error", () => undefined);
let held = Buffer.alloc(0);
let ended = false;
process.stdin.on("data", (chunk) => {
  held = Buffer.concat([held, chunk]);
  while (held.length >= 4) {
    const size = held.readUInt32BE(0);
    if (size === 0) { ended = true; return void child.stdin.end(); }
    if (held.length < 4 + size) return;
    const goesOn = child.stdin.write(held.subarray(4, 4 + size));
    held = held.subarray(4 + size);
    if (!goesOn) { process.stdin.pause(); child.stdin.once("drain", () => process.stdin.resume()); }
  }
});
process.stdin.on("end", () => { if (!ended) { child.kill("SIGKILL"); process.exit(74); } });
`;

/** A piece at a time, small enough for the connection's buffers. */
const mostPiece = 64 * 1024;

/**
 * Runs a shell script in the pod with all of `input`; its exit code. Input that fails is never taken for complete, and its error is thrown.
 */
export async function feedInPod(
  cluster: Cluster,
  pod: string,
  script: string,
  args: readonly string[],
  input: Readable,
): Promise<{ code: number; said: string }> {
  const run = await execInPod(cluster, pod, [nodeInImage, "-e", receiver, "--", script, "sh", ...args], true);
  run.stdout.resume();
  try {
    const send = async (): Promise<void> => {
      for await (const chunk of input as AsyncIterable<Buffer>)
        for (let at = 0; at < chunk.length; at += mostPiece) await run.send(framed(chunk.subarray(at, at + mostPiece)));
      await run.send(framed(Buffer.alloc(0)));
    };
    // A program that ends early gives the reason; input that could not be sent any more does not.
    const code = await Promise.race([run.ended, send().then(() => run.ended)]);
    return { code, said: run.said() };
  } finally {
    run.close();
  }
}

function framed(piece: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(piece.length);
  return Buffer.concat([size, piece]);
}

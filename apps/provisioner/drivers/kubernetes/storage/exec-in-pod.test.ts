/** Programs in pods whose output is read slowly, or that a tenant prevents from running. */
import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Writable } from "node:stream";
import type { V1Status } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { execInPod } from "./exec-in-pod.ts";
import { readStorage } from "./pod-storage.ts";
import { usualLimits } from "../limited-calls.ts";
import type { Cluster } from "../open-cluster.ts";

/** A connection as the client makes it: it writes each message to the stream without waiting, and says nothing while it is paused. */
class PodSocket extends EventEmitter {
  isPaused = false;
  pause = () => void (this.isPaused = true);
  resume = () => void (this.isPaused = false);
  close = () => void this.emit("close");
}

function podThatAnswers() {
  const socket = new PodSocket();
  const opened = Promise.withResolvers<{ stdout: Writable; tellEnd: (status: V1Status) => void }>();
  const exec = async (...args: unknown[]) => {
    opened.resolve({ stdout: args[4] as Writable, tellEnd: args[8] as (status: V1Status) => void });
    return socket;
  };
  const core = { readNamespacedPod: async () => ({ metadata: { uid: "1" }, status: { phase: "Running" } }) };
  const cluster = { namespace: "workspaces", exec: { exec }, core, limits: usualLimits } as unknown as Cluster;
  return { socket, opened: opened.promise, cluster, run: () => execInPod(cluster, "w-a", ["tar"]) };
}

const pieceBytes = 32 * 1024;
const pieces = 256;

test("output that arrives faster than it is read is slowed down, and arrives complete", async () => {
  const { socket, opened, run } = podThatAnswers();
  const { stdout } = await run();
  const pod = await opened;
  let most = 0;
  const write = async () => {
    for (let sent = 0; sent < pieces;) {
      if (socket.isPaused) await sleep(1);
      else {
        pod.stdout.write(Buffer.alloc(pieceBytes));
        socket.emit("message");
        sent += 1;
      }
      most = Math.max(most, stdout.readableLength + pod.stdout.writableLength);
    }
    pod.tellEnd({ status: "Success" });
    pod.stdout.end();
  };
  const written = write();
  let read = 0;
  await sleep(50);
  for await (const chunk of stdout) {
    read += (chunk as Buffer).length;
    await sleep(1);
  }
  await written;
  expect(read).toBe(pieces * pieceBytes);
  expect(most).toBeLessThan(1.2 * 1024 ** 2);
});

test("a program that could not be started is an error for its caller, not for the connection", async () => {
  const { opened, run } = podThatAnswers();
  const { ended } = await run();
  const { tellEnd } = await opened;
  expect(() => tellEnd({ status: "Failure", reason: "InternalError", message: "no process left" })).not.toThrow();
  await expect(ended).rejects.toThrow("no process left");
});

test("an abandoned reading closes its connection, even if the pod is silent", async () => {
  const { socket, opened, cluster } = podThatAnswers();
  const closed = once(socket, "close");
  const files = await readStorage(cluster, { workspaceId: "a", workspaceNumber: 1 }, ["things"]);
  files.resume();
  await opened;
  files.destroy();
  await closed;
});

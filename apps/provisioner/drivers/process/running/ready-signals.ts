/**
 * Notices when a starting workspace reports that it is ready, through a pipe that the process has open from its start. The pipe keeps what
 * was written until it is read, so a control plane that starts later notices it too.
 */
import { close, constants, open } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";
import type { ReadySignal } from "../../driver.ts";

export interface ReadySignals {
  /** The same signal until `forget`. */
  of(workspaceId: string): ReadySignal;
  /** The start is over: stops listening. */
  forget(workspaceId: string): void;
}

interface Listening extends ReadySignal {
  end(): void;
}

/** @param pipeOf the path of a workspace's pipe, in a folder that only the control plane can enter. */
export function createReadySignals(pipeOf: (workspaceId: string) => string): ReadySignals {
  const byId = new Map<string, Listening>();
  return {
    of(workspaceId) {
      const signal = byId.get(workspaceId) ?? listen(pipeOf(workspaceId));
      byId.set(workspaceId, signal);
      return signal;
    },
    forget(workspaceId) {
      byId.get(workspaceId)?.end();
      byId.delete(workspaceId);
    },
  };
}

/** Reads once and closes the pipe: anything else the workspace writes there waits in the kernel, at its own expense. */
function listen(pipe: string): Listening {
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const state = { heard: false, isOver: false };
  let socket: Socket | undefined;
  const end = (): void => {
    state.isOver = true;
    socket?.destroy();
  };
  const hear = (): void => {
    end();
    state.heard = true;
    resolve();
  };
  // Without waiting for a writer. It has one: the process itself, from before it is recorded.
  promisify(open)(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    .then((fd) => {
      if (state.isOver) return close(fd);
      socket = new Socket({ fd, readable: true, writable: false });
      socket.once("data", hear).once("error", hear).once("end", end).unref();
      return undefined;
    })
    // Started by an earlier release of this program, which made no pipe.
    .catch(hear);
  return {
    get heard() {
      return state.heard;
    },
    told,
    end,
  };
}

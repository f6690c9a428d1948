/**
 * Limits the connections to the front door. Past its limit of open files, a program reaches neither its database nor its workspaces.
 * When the door is full, each new connection closes the oldest event stream, or else the longest-idle connection. A panel that loses its
 * stream polls instead.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Crowd {
  /** A new connection. If there is no room and no other connection is a stream or idle, the new one is closed. */
  enter(socket: Socket): void;
  /** A request began: the connection is not idle until the response has ended. */
  ask(req: IncomingMessage, res: ServerResponse): void;
  /** The response is an event stream, which has no end and is the first to be closed. */
  stream(socket: Socket): void;
  /** The connection is a tunnel now, which may be idle for any length of time. */
  stay(socket: Socket): void;
}

/** Holds at most `most` connections; `onFull` is called for each one that is closed. */
export function createCrowd(most: number, onFull: () => void): Crowd {
  const all = new Set<Socket>();
  /** Longest idle first: a set keeps its order, and a connection that becomes idle again goes to the end. */
  const silent = new Set<Socket>();
  /** Oldest first. */
  const streams = new Set<Socket>();
  /** What each connection is answering, or has answered last. */
  const current = new WeakMap<Socket, ServerResponse>();
  const leave = (socket: Socket): void => {
    all.delete(socket);
    silent.delete(socket);
    streams.delete(socket);
  };
  return {
    enter(socket) {
      all.add(socket);
      silent.add(socket);
      socket.once("close", () => leave(socket));
      if (all.size <= most) return;
      const [oldestStream] = streams;
      const [longestSilent] = silent;
      const goes = oldestStream ?? longestSilent!;
      onFull();
      leave(goes);
      goes.destroy();
    },
    ask(req, res) {
      const { socket } = req;
      silent.delete(socket);
      current.set(socket, res);
      res.once("close", () => {
        // Its next request, sent before this answer, has begun by now.
        if (current.get(socket) !== res) return;
        streams.delete(socket);
        if (!socket.destroyed && all.has(socket)) silent.add(socket);
      });
    },
    stream: (socket) => void streams.add(socket),
    stay: (socket) => void silent.delete(socket),
  };
}

/** The usual minimum on Linux and macOS, for systems that do not report their limit. */
const usualFiles = 1024;
/** The rest is for the database, connections to workspaces, and files. */
const share = 0.75;
/** 100,000 connections take about 2 GB; more than that need more machines. */
const mostEver = 100_000;

/** How many connections this process may hold, from its limit of open files. Node has already raised that as far as the system allows. */
export function mostConnections(limits = readLimits()): number {
  const [, files] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  return Math.min(mostEver, Math.floor(share * (files === "unlimited" ? mostEver : Number(files ?? usualFiles))));
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}

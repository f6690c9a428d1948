/**
 * Limits the connections to the front door. Past its limit of open files, a program reaches neither its database nor its workspaces.
 * When the door is full, each new connection closes another one: the oldest event stream, or else one for which we wait. A panel that loses
 * its stream polls instead.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";
import { secondMs } from "#platform/clock.ts";
import { siteOf } from "../../gateway/headers/client-address.ts";
import { hasBody } from "../../gateway/upstream/request-body.ts";

export interface Crowd {
  /** A new connection. If there is no room and no other connection may be closed for it, the new one is closed. */
  enter(socket: Socket): void;
  /** Whether a request of the connection is not answered yet. */
  isAnswering(socket: Socket): boolean;
  /** A request began: the connection is not idle until the response has ended. */
  ask(req: IncomingMessage, res: ServerResponse): void;
  /** The response is an event stream, which has no end and is the first to be closed. */
  stream(socket: Socket): void;
  /** The connection is a tunnel now, or an event stream of a workspace: it may be idle for any length of time. */
  stay(socket: Socket): void;
}

/** A head follows its connection within this time; until then a connection makes no room while others can. */
const headMs = secondMs;

/** Holds at most `most` connections; `onFull` is called for each one that is closed. */
export function createCrowd(most: number, onFull: () => void): Crowd {
  const all = new Set<Socket>();
  /** With the time since when. Longest idle first: a map keeps its order, and a connection that becomes idle again goes to the end. */
  const silent = new Map<Socket, number>();
  /** Oldest first. */
  const streams = new Set<Socket>();
  /** Whose request has a body that may not have arrived yet; oldest first. */
  const uploads = new Map<Socket, IncomingMessage>();
  const tunnels = new Map<Socket, string>();
  /** What each connection is answering, or has answered last. */
  const current = new WeakMap<Socket, ServerResponse>();
  const leave = (socket: Socket): void => {
    all.delete(socket);
    silent.delete(socket);
    streams.delete(socket);
    uploads.delete(socket);
    tunnels.delete(socket);
  };
  const oldestUpload = (): Socket | undefined => {
    for (const [socket, req] of uploads) {
      if (req.complete) uploads.delete(socket);
      // With a full buffer the sender waits for us: the workspace starts, or has no place yet.
      else if (req.readableLength < req.readableHighWaterMark) return socket;
    }
    return undefined;
  };
  /** A current request is never closed for another. */
  const makesRoom = (): Socket => {
    const [oldestStream] = streams;
    if (oldestStream) return oldestStream;
    // The new connection is silent, so there is one.
    const [first] = silent;
    const [longestSilent, since] = first!;
    if (performance.now() - since >= headMs) return longestSilent;
    return oldestUpload() ?? newestOfLargestSite(tunnels) ?? longestSilent;
  };
  return {
    enter(socket) {
      all.add(socket);
      silent.set(socket, performance.now());
      socket.once("close", () => leave(socket));
      if (all.size <= most) return;
      const goes = makesRoom();
      onFull();
      leave(goes);
      goes.destroy();
    },
    isAnswering: (socket) => current.get(socket)?.writableFinished === false,
    ask(req, res) {
      const { socket } = req;
      // Whatever its previous request was.
      for (const each of [silent, streams, uploads, tunnels]) each.delete(socket);
      if (hasBody(req)) uploads.set(socket, req);
      current.set(socket, res);
      res.once("close", () => {
        // Its next request, sent before this answer, has begun by now.
        if (current.get(socket) !== res) return;
        streams.delete(socket);
        uploads.delete(socket);
        tunnels.delete(socket);
        if (!socket.destroyed && all.has(socket)) silent.set(socket, performance.now());
      });
    },
    stream: (socket) => void streams.add(socket),
    stay(socket) {
      silent.delete(socket);
      if (all.has(socket)) tunnels.set(socket, siteOf(socket.remoteAddress ?? ""));
    },
  };
}

/** So that one site's tunnels do not close those of others. */
function newestOfLargestSite(tunnels: ReadonlyMap<Socket, string>): Socket | undefined {
  const counts = new Map<string, number>();
  let [largest, most] = ["", 0];
  for (const site of tunnels.values()) {
    const count = (counts.get(site) ?? 0) + 1;
    counts.set(site, count);
    if (count > most) [largest, most] = [site, count];
  }
  return [...tunnels].findLast(([, site]) => site === largest)?.[0];
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

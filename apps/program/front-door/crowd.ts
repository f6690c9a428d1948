/**
 * Everybody who is connected to the front door, held to a number that the system can bear: past its limit of open files a program
 * reaches neither its database nor its workspaces. When it is full, streams of events make room for whoever comes, and then the longest
 * silent: a panel whose stream ends asks now and then instead.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Crowd {
  /** Somebody connected; where there is no room for them, and nobody silent either, they are the one who goes. */
  enter(socket: Socket): void;
  /** They ask something: from here until the answer has ended they are not silent. */
  ask(req: IncomingMessage, res: ServerResponse): void;
  /** What they are answered is a stream: it has no end, and is the first to make room. */
  stream(socket: Socket): void;
  /** They have a tunnel now, which may be silent as long as it likes. */
  stay(socket: Socket): void;
}

/** A crowd of at most `most`; `onFull` hears of each who is sent away. */
export function createCrowd(most: number, onFull: () => void): Crowd {
  const all = new Set<Socket>();
  /** Oldest first: a set keeps its order, and whoever falls silent again goes to the end. */
  const silent = new Set<Socket>();
  /** Oldest first. */
  const streams = new Set<Socket>();
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
      res.once("close", () => {
        streams.delete(socket);
        if (!socket.destroyed && all.has(socket)) silent.add(socket);
      });
    },
    stream: (socket) => void streams.add(socket),
    stay: (socket) => void silent.delete(socket),
  };
}

/** Where the system does not say: what Linux and macOS give a program at least. */
const usualFiles = 1024;
/** The rest is for the database, for connections on to workspaces, and for files. */
const share = 0.75;
/** 100,000 connections are some 2 GB; whoever needs more has more machines. */
const mostEver = 100_000;

/** How many connections this process may hold, by its limit of open files; Node has raised that as far as the system lets it. */
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

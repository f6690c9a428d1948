/** One request to a scene's workspace through the gateway, as its people and their customers make it. */
import { Agent, fetch, type RequestInit, type Response } from "undici";
import type { EngineScene } from "./engine-suite.ts";

/** Not every machine's resolver knows names below localhost. */
export const toLoopback = new Agent({ connect: { lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) } });

/** Follows no redirect. */
export const visit = (scene: EngineScene, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(path, `${scene.door()}/`), { redirect: "manual", dispatcher: toLoopback, ...init });

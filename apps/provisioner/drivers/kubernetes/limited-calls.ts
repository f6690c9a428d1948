/** Puts time limits on calls of a cluster's API: an API server that accepts a call and does not answer would block every caller. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createConfiguration,
  HttpMethod,
  IsomorphicFetchHttpLibrary,
  ResponseContext,
  ServerConfiguration,
  setHeaderMiddleware,
  wrapHttpLibrary,
  type KubeConfig,
  type RequestContext,
} from "@kubernetes/client-node";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { TookTooLong } from "#platform/loops/within.ts";

export interface ClusterLimits {
  /** For the whole answer to a query, which may be a list of thousands of pods; also for opening a connection to a pod. */
  questionMs: number;
  /** For a change. */
  changeMs: number;
  /** How long a connection to a pod may be silent: tar prints nothing while it scans many files. */
  silenceMs: number;
}

/** An API server gives up any call but a watch after a minute, and lists a namespace within 30 s by its own objectives. */
export const usualLimits: ClusterLimits = { questionMs: 30 * secondMs, changeMs: minuteMs, silenceMs: 10 * minuteMs };

type Configuration = ReturnType<typeof createConfiguration>;

/** If the API server does not say when to ask again. */
const usualPauseMs = secondMs;

/**
 * A client whose every call rejects with TookTooLong after its limit and leaves no connection behind. An overloaded server (429) has
 * done nothing; the call is repeated when it says so, within that limit, so that no start fails because others start.
 */
export function makeClient<Client>(config: KubeConfig, limits: ClusterLimits, type: new (configuration: Configuration) => Client): Client {
  const http = new IsomorphicFetchHttpLibrary();
  const send = async (request: RequestContext): Promise<ResponseContext> => {
    const method = request.getHttpMethod();
    const mostMs = method === HttpMethod.GET ? limits.questionMs : limits.changeMs;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), mostMs);
    request.setSignal(late.signal);
    const deadline = performance.now() + mostMs;
    try {
      let answer = await http.send(request).toPromise();
      // Here, and not by the caller: a server can also stop in the middle of its answer.
      let text = await answer.body.text();
      for (; answer.httpStatusCode === 429; text = await answer.body.text()) {
        const pauseMs = Number(answer.headers["retry-after"]) * secondMs || usualPauseMs;
        if (performance.now() + pauseMs > deadline) break;
        await sleep(pauseMs);
        answer = await http.send(request).toPromise();
      }
      const { httpStatusCode, headers } = answer;
      const whole = { text: async () => text, binary: async () => Buffer.from(text), stream: () => null };
      return new ResponseContext(httpStatusCode, headers, whole);
    } catch (error) {
      if (!late.signal.aborted) throw error;
      const { pathname } = new URL(request.getUrl());
      throw new TookTooLong(`the cluster did not answer: ${method} ${pathname} took longer than ${mostMs} ms`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
  const configuration = createConfiguration({
    baseServer: new ServerConfiguration(config.getCurrentCluster()!.server, {}),
    authMethods: { default: config },
    middleware: [setHeaderMiddleware("User-Agent", "slipway")],
    httpApi: wrapHttpLibrary({ send }),
  });
  return new type(configuration);
}

/** The same access for connections to pods, which are aborted if opening them takes longer than `mostMs`. */
export function openWithin(mostMs: number, config: KubeConfig): KubeConfig {
  const limited = Object.create(config) as KubeConfig;
  limited.applyToHTTPSOptions = async (options) => {
    await config.applyToHTTPSOptions(options);
    // From the library with which the client connects.
    Object.assign(options, { handshakeTimeout: mostMs });
  };
  return limited;
}

const supervisor = join(import.meta.dirname, "end-in-time.mts");

/**
 * The same access. If a program fetches its credentials, it is ended after `mostMs`: otherwise the client would wait for it forever, before
 * any call.
 */
export function fetchWithin(mostMs: number, config: KubeConfig): KubeConfig {
  const limited = Object.create(config) as KubeConfig;
  limited.users = config.users.map((user) => {
    const { exec } = user as { exec?: { command?: string; args?: string[] | null } };
    if (!exec?.command) return user;
    const args = [supervisor, String(mostMs), exec.command, ...(exec.args ?? [])];
    return { ...user, exec: { ...exec, command: process.execPath, args } };
  });
  return limited;
}

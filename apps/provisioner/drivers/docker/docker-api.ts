/**
 * The calls of Docker's API that the driver makes, over the service's socket; Podman answers them as well. Paths have no version: each
 * service uses its own.
 */
import { request, type IncomingMessage } from "node:http";
import type { Duplex, Readable } from "node:stream";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { TookTooLong } from "#platform/loops/within.ts";

/** How long the service may take. Without limits, a hanging service would block every caller. */
export interface DockerLimits {
  /** For the whole answer to a query: a busy service takes seconds. */
  questionMs: number;
  /** For a change, such as making or removing a container on a busy disk. */
  changeMs: number;
  /** How long a pull or a container's input and output may be silent: tar prints nothing while it scans many files. */
  silenceMs: number;
}

const usualLimits: DockerLimits = { questionMs: 20 * secondMs, changeMs: minuteMs, silenceMs: 10 * minuteMs };

export interface ContainerInfo {
  Id: string;
  Image: string;
  State: { Running: boolean; Paused: boolean; ExitCode: number; OOMKilled: boolean; StartedAt: string; FinishedAt: string };
  Config: { Labels: Readonly<Record<string, string>> };
  NetworkSettings: { Networks: Readonly<Record<string, { IPAddress: string }>> };
}

/** The service refused; `status` is HTTP's: 404 is "there is none", 409 is "there is one already" or "just being removed". */
export class DockerRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "DockerRefusal";
    this.status = status;
  }
}

interface Call {
  method?: "GET" | "POST" | "DELETE";
  path: string;
  query?: Readonly<Record<string, string | number | boolean | object>>;
  body?: object;
  signal?: AbortSignal;
  /** How long the whole answer may take; by default the usual limit of a query or change. */
  mostMs?: number;
}

export interface DockerApi {
  readonly limits: DockerLimits;
  /** The answer, parsed; undefined if it is empty. Throws DockerRefusal, and TookTooLong after its time limit. */
  call<T = undefined>(call: Call): Promise<T>;
  /** The answer as bytes. */
  bytes(call: Call): Promise<Buffer>;
  /** The answer as a stream. The time limit covers only its beginning. */
  stream(call: Call): Promise<Readable>;
  /**
   * A container's standard input and output as one connection, for one that was not started yet, so that none of its output is missed. The
   * output comes in frames. Sent without a body, because Podman takes one for the container's input. Fails after too long a silence.
   */
  attach(containerId: string, streams: readonly ("stdin" | "stdout" | "stderr")[]): Promise<Duplex>;
}

/** Nothing is connected until the first call. */
export function openDockerApi(socketPath: string, limits: DockerLimits = usualLimits): DockerApi {
  const send = (call: Call, { whole }: { whole: boolean }): Promise<IncomingMessage> => {
    const { method = "GET", path, query = {}, body, signal, mostMs = method === "GET" ? limits.questionMs : limits.changeMs } = call;
    const said = Object.entries(query).map(([name, value]): [string, string] => [
      name,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      let answer: IncomingMessage | undefined;
      const late = setTimeout(() => (answer ?? asked).destroy(tookTooLong(`${method} ${path}`, mostMs)), mostMs);
      const asked = request(
        { socketPath, method, path: `${path}?${new URLSearchParams(said)}`, headers, agent: false, ...(signal && { signal }) },
        (given) => {
          answer = given;
          // A refusal is short, and read completely.
          if (!whole && given.statusCode! < 400) clearTimeout(late);
          resolve(given);
        },
      );
      // After the answer was read, or if there will be none.
      asked.on("error", reject).once("close", () => clearTimeout(late));
      asked.end(text);
    });
  };
  const accepted = async (answer: IncomingMessage): Promise<IncomingMessage> => {
    if (answer.statusCode! < 400) return answer;
    throw await refusal(answer);
  };
  const bytes = async (call: Call): Promise<Buffer> => Buffer.concat(await (await accepted(await send(call, { whole: true }))).toArray());
  return {
    limits,
    stream: async (call) => accepted(await send(call, { whole: false })),
    bytes,
    call: async <T>(call: Call) => {
      const text = (await bytes(call)).toString();
      return (text.trim() === "" ? undefined : JSON.parse(text)) as T;
    },
    attach: (containerId, streams) => {
      const query = ["stream=1", ...streams.map((name) => `${name}=1`)].join("&");
      const headers = { connection: "Upgrade", upgrade: "tcp" };
      const path = `/containers/${containerId}/attach`;
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => asked.destroy(tookTooLong(`POST ${path}`, limits.questionMs)), limits.questionMs);
        const asked = request({ socketPath, method: "POST", path: `${path}?${query}`, headers })
          .on("upgrade", (_answer, socket, head) => {
            clearTimeout(late);
            if (head.length > 0) socket.unshift(head);
            socket.setTimeout(limits.silenceMs, () => socket.destroy(tookTooLong("a container's input or output", limits.silenceMs)));
            resolve(socket.on("error", () => undefined));
          })
          .on("response", (answer) => void refusal(answer).then(reject, reject))
          .on("error", reject)
          .once("close", () => clearTimeout(late));
        asked.end();
      });
    },
  };
}

/** The lines of an answer as they arrive. Throws if its connection breaks, where readline would wait forever. */
export async function* linesOf(answer: Readable): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of answer.setEncoding("utf8")) {
    const lines = (rest + (piece as string)).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const tookTooLong = (what: string, mostMs: number): TookTooLong =>
  new TookTooLong(`the container service did not answer: ${what} took longer than ${mostMs} ms`);

async function refusal(answer: IncomingMessage): Promise<DockerRefusal> {
  const text = Buffer.concat(await answer.toArray()).toString();
  let message = text;
  try {
    message = String((JSON.parse(text) as { message?: string }).message ?? text);
  } catch {
    // Not every refusal is JSON.
  }
  return new DockerRefusal(answer.statusCode!, `the container service answered ${answer.statusCode}: ${message.slice(0, 1_000)}`);
}

import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { openedEvent, openLine, writeAddress, type Line } from "./open-line.ts";

export interface LineRequest {
  /** Including the query. */
  path: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Aborts everything, including reading the answer's body, with its own reason. */
  signal: AbortSignal;
}

/**
 * `fetch` over a line, on a separate connection, without following redirects. Node's `fetch` cannot be given a connection. So where the
 * server must prove its name, an answer is passed on as it arrived, without decompression, since none was requested. `open` makes the
 * connection where `openLine` cannot.
 */
export async function fetchOver(line: Line, asked: LineRequest, open?: (line: Line) => Socket): Promise<Response> {
  const { path, method = "GET", headers = {}, body, signal } = asked;
  const own = { ...headers, connection: "close" };
  const { host, port, key } = line;
  if (key === undefined && !open)
    return fetch(`http://${writeAddress(host, port)}${path}`, { method, headers: own, body: body ?? null, signal, redirect: "manual" });
  signal.throwIfAborted();
  const socket = (open ?? openLine)(line);
  const end = () => void socket.destroy(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", end));
  try {
    if (key !== undefined || socket.connecting) await once(socket, openedEvent(line));
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = request({ host, port, path, method, headers: { ...own, ...length }, createConnection: () => socket });
    return toResponse(await answerTo(outgoing, body), signal);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * Sends the request. If a server switches protocols without being asked to, Node closes the connection without a response or an error: only
 * `close` reports it. After the answer has begun, errors go to its reader.
 */
function answerTo(outgoing: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing
      .on("response", resolve)
      .on("error", reject)
      .on("close", () => reject(new Error("the server ended the connection without an answer")))
      .end(body);
  });
}

/** A Response with one of these statuses has no body. */
const emptyStatuses = [204, 205, 304];

function toResponse(answer: IncomingMessage, signal: AbortSignal): Response {
  const status = answer.statusCode!;
  if (!emptyStatuses.includes(status))
    return new Response(Readable.toWeb(Readable.from(chunksOf(answer, signal))) as ReadableStream<Uint8Array>, { status });
  answer.destroy();
  return new Response(null, { status });
}

async function* chunksOf(answer: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of answer) yield chunk as Uint8Array;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/**
 * Reads HTTP/1.1 responses from one connection to a workspace. Written by hand for speed (decision 0107), which is safe on this side only:
 * a connection carries requests for a single workspace, whose tenant decides about its responses anyway. A response that two readers could
 * understand differently is refused, and so is one whose head Node would refuse to write to the visitor.
 */

export interface ResponseSink {
  /** The final head, with headers as `[name, value, …]`. */
  onHead(statusCode: number, message: string, headers: string[]): void;
  /** A piece of the body. Its memory is reused after the call. */
  onData(chunk: Buffer): void;
}

export class MalformedResponse extends Error {}

/** Node's limit is 16 KB for all headers; tools that set many cookies need more. */
const mostHeadBytes = 64 * 1024;
/** The size of a chunk with its extensions, which are not used in practice. */
const mostLineBytes = 1024;

const headEnd = Buffer.from("\r\n\r\n");
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/;
/** A control character, or half a line end. */
const unsafeText = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;
const unsafeName = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;
const chunkSize = /^([0-9a-f]{1,12})(?:;[^\r\n]*)?$/i;

type Part = "head" | "length" | "chunk-size" | "chunk" | "chunk-end" | "trailers" | "until-close" | "done";

export class ResponseReader {
  #part: Part = "done";
  #sink!: ResponseSink;
  #isHeadRequest = false;
  /** An incomplete head or line, in Latin-1. */
  #kept = "";
  /** Bytes left of the body or of the current chunk. */
  #left = 0;
  #trailerBytes = 0;
  /** Whether the connection may carry another request after this response. */
  isReusable = false;
  /** How long the workspace keeps the connection open while idle, in ms, by its Keep-Alive header; null if it does not say. */
  keepAliveMs: number | null = null;

  /** Starts with the response to a new request. */
  begin(sink: ResponseSink, isHeadRequest: boolean): void {
    this.#part = "head";
    this.#sink = sink;
    this.#isHeadRequest = isHeadRequest;
    this.#kept = "";
  }

  get isDone(): boolean {
    return this.#part === "done";
  }

  /** Returns how many bytes belong to the response; the rest was not requested. Throws MalformedResponse, or what the sink throws. */
  read(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length && this.#part !== "done") at = this.#readPart(chunk, at);
    return at;
  }

  /** The workspace closed the connection: true if that completes the response. */
  endsHere(): boolean {
    if (this.#part !== "until-close") return false;
    this.#part = "done";
    return true;
  }

  #readPart(chunk: Buffer, at: number): number {
    switch (this.#part) {
      case "head":
        return this.#readHead(chunk, at);
      case "length":
      case "chunk":
        return this.#readBody(chunk, at);
      case "chunk-size":
        return this.#readLine(chunk, at, (line) => this.#startChunk(line));
      case "chunk-end":
        return this.#readLine(chunk, at, (line) => {
          if (line !== "") throw new MalformedResponse("a chunk is longer than its size");
          this.#part = "chunk-size";
        });
      case "trailers":
        return this.#readLine(chunk, at, (line) => this.#skipTrailer(line));
      default:
        this.#sink.onData(at === 0 ? chunk : chunk.subarray(at));
        return chunk.length;
    }
  }

  #readHead(chunk: Buffer, at: number): number {
    const kept = this.#kept;
    if (kept === "") {
      const end = chunk.indexOf(headEnd, at);
      if (end !== -1) {
        if (end - at > mostHeadBytes) throw new MalformedResponse("the head is too long");
        this.#startBody(chunk.toString("latin1", at, end));
        return end + headEnd.length;
      }
    }
    const text = kept + chunk.toString("latin1", at);
    const end = kept === "" ? -1 : text.indexOf("\r\n\r\n", Math.max(0, kept.length - 3));
    if ((end === -1 ? text.length : end) > mostHeadBytes) throw new MalformedResponse("the head is too long");
    if (end === -1) {
      this.#kept = text;
      return chunk.length;
    }
    this.#kept = "";
    this.#startBody(text.slice(0, end));
    return at + end + headEnd.length - kept.length;
  }

  #startBody(head: string): void {
    // Node notices it too, but only after it has changed the visitor's response, which then cannot carry a refusal.
    if (unsafeText.test(head)) throw new MalformedResponse("an unsafe head");
    let lineAt = head.indexOf("\r\n");
    if (lineAt === -1) lineAt = head.length;
    const [, minor, status, message] = statusLine.exec(head.slice(0, lineAt)) ?? [];
    if (status === undefined) throw new MalformedResponse("no HTTP response");
    const statusCode = Number(status);
    if (statusCode === 101) throw new MalformedResponse("an upgrade that was not requested");
    // Interim responses concern only our connection to the workspace; Node has already sent its own 100.
    if (statusCode < 200) return;
    const headers = splitHeaders(head, lineAt + 2);
    const { length, isChunked, keepsOpen, keepAliveMs } = framingOf(headers);
    this.keepAliveMs = keepAliveMs;
    this.isReusable = keepsOpen && minor === "1";
    if (isChunked && minor === "0") throw new MalformedResponse("chunks in HTTP/1.0");
    this.#sink.onHead(statusCode, message ?? "", headers);
    if (this.#isHeadRequest || statusCode === 204 || statusCode === 304) {
      // The workspace may have sent a body nevertheless, which would be read as the next response.
      if (this.#isHeadRequest || isChunked || (length !== null && length > 0)) this.isReusable = false;
      this.#part = "done";
    } else if (isChunked) {
      this.#trailerBytes = 0;
      this.#part = "chunk-size";
    } else if (length === null) {
      this.isReusable = false;
      this.#part = "until-close";
    } else {
      this.#left = length;
      this.#part = length === 0 ? "done" : "length";
    }
  }

  #readBody(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#left);
    this.#left -= end - at;
    const isLast = this.#left === 0;
    this.#sink.onData(chunk.subarray(at, end));
    if (isLast) this.#part = this.#part === "chunk" ? "chunk-end" : "done";
    return end;
  }

  #readLine(chunk: Buffer, at: number, onLine: (line: string) => void): number {
    const feed = chunk.indexOf(10 /* line feed */, at);
    const line = this.#kept + chunk.toString("latin1", at, feed === -1 ? chunk.length : feed);
    if (line.length > mostLineBytes) throw new MalformedResponse("a line between chunks is too long");
    if (feed === -1) {
      this.#kept = line;
      return chunk.length;
    }
    if (!line.endsWith("\r")) throw new MalformedResponse("a bare line feed");
    this.#kept = "";
    onLine(line.slice(0, -1));
    return feed + 1;
  }

  #startChunk(line: string): void {
    const size = chunkSize.exec(line)?.[1];
    if (size === undefined) throw new MalformedResponse("a chunk has no size");
    this.#left = Number.parseInt(size, 16);
    this.#part = this.#left === 0 ? "trailers" : "chunk";
  }

  #skipTrailer(line: string): void {
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > mostHeadBytes) throw new MalformedResponse("the trailers are too long");
    if (line === "") this.#part = "done";
  }
}

function splitHeaders(head: string, from: number): string[] {
  const headers: string[] = [];
  for (let at = from; at < head.length;) {
    let end = head.indexOf("\r\n", at);
    if (end === -1) end = head.length;
    const colon = head.indexOf(":", at);
    if (colon <= at || colon >= end) throw new MalformedResponse("a header without a name");
    let first = colon + 1;
    let last = end;
    while (first < last && isBlank(head.charCodeAt(first))) first += 1;
    while (first < last && isBlank(head.charCodeAt(last - 1))) last -= 1;
    const name = head.slice(at, colon);
    if (unsafeName.test(name)) throw new MalformedResponse("an unsafe name of a header");
    headers.push(name, head.slice(first, last));
    at = end + 2;
  }
  return headers;
}

/** A space or a tab; nothing else around a value may be removed. */
const isBlank = (code: number): boolean => code === 32 || code === 9;

interface Framing {
  length: number | null;
  isChunked: boolean;
  keepsOpen: boolean;
  keepAliveMs: number | null;
}

function framingOf(headers: readonly string[]): Framing {
  const framing: Framing = { length: null, isChunked: false, keepsOpen: true, keepAliveMs: null };
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!;
    // The lengths of the four names below.
    if (name.length !== 10 && name.length !== 14 && name.length !== 17) continue;
    const key = name.toLowerCase();
    const value = headers[index + 1]!;
    if (key === "content-length") {
      if (framing.length !== null || !/^\d{1,15}$/.test(value)) throw new MalformedResponse("an ambiguous length");
      framing.length = Number(value);
    } else if (key === "transfer-encoding") {
      if (framing.isChunked || value.toLowerCase() !== "chunked") throw new MalformedResponse("an ambiguous coding");
      framing.isChunked = true;
    } else if (key === "connection") {
      if (/(?:^|,)[\t ]*close[\t ]*(?:,|$)/i.test(value)) framing.keepsOpen = false;
    } else if (key === "keep-alive") {
      const seconds = /timeout=(\d{1,6})/i.exec(value)?.[1];
      if (seconds !== undefined) framing.keepAliveMs = Number(seconds) * 1000;
    }
  }
  if (framing.isChunked && framing.length !== null) throw new MalformedResponse("a length with chunks");
  return framing;
}

/**
 * The control plane's calls into a workspace. What answers there runs beside its customer's code: it may answer never, without
 * an end, or anything at all, so time and bytes are bounded and only the shape that was asked for is believed.
 */
import { z } from "zod";
import { boundedBody, boundedChunks } from "#platform/http/bounded-chunks.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import { parseJson } from "#platform/http/parse-json.ts";
import { EngineRefusal } from "./engine.ts";
import { signToken, type SigningKey } from "./sign-token.ts";
import type { TokenAudience } from "./workspace-side/token-claims.mts";

export interface Caller {
  /** Of the tool, for errors. */
  displayName: string;
  signingKey: SigningKey;
  clock: Clock;
}

export interface WorkspaceCall {
  /** host:port */
  address: string;
  workspaceId: string;
  audience: TokenAudience;
  path: string;
  /** POSTed as JSON; without one it is a GET. */
  body?: object | undefined;
  /** From the call to the last byte of its answer. */
  timeoutMs: number;
}

export interface AskLimits {
  timeoutMs?: number;
  mostAnswerBytes?: number;
  /** Whether 409 is the tool's own no, thrown as EngineRefusal with its reason. */
  mayRefuse?: boolean;
}

/** Both tools answer in some 30 ms; a workspace at its limit takes seconds. */
const askTimeoutMs = 15 * secondMs;
/** Some two thousand members' worth. */
const mostAnswerBytes = 256 * 1024;

/** Sends the call with a fresh token; the answer's body is not read yet, and has to be by `answerChunks`. */
export function callWorkspace(
  { signingKey, clock }: Caller,
  { address, workspaceId, audience, path, body, timeoutMs }: WorkspaceCall,
): Promise<Response> {
  const token = signToken(signingKey, clock, { audience, workspaceId });
  return fetch(`http://${address}${path}`, {
    method: body ? "POST" : "GET",
    // A kept connection would speak of the process that was, not of the one that is.
    headers: { connection: "close", authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: "manual",
  });
}

/** The answer's body piece by piece; throws once it is longer than `mostBytes`, and so ends the connection. */
export const answerChunks = (caller: Caller, response: Response, mostBytes: number): AsyncGenerator<Uint8Array> =>
  boundedChunks(response.body, mostBytes, () => tooMuch(caller, response, mostBytes));

/** The error for an answer that is not the one hoped for; reads what it says of itself. */
export async function unexpectedAnswer(caller: Caller, response: Response): Promise<Error> {
  return toError(caller, response, await readText(caller, response, mostAnswerBytes));
}

export type Ask = <Shape extends z.ZodType>(
  shape: Shape,
  address: string,
  workspaceId: string,
  path: string,
  body?: object,
) => Promise<z.output<Shape>>;

/** Calls for one purpose, answered by JSON of a known shape; every other answer throws. */
export function createAsk(caller: Caller, audience: TokenAudience, limits: AskLimits = {}): Ask {
  return async (shape, address, workspaceId, path, body) => {
    const response = await callWorkspace(caller, {
      address,
      workspaceId,
      audience,
      path,
      body,
      timeoutMs: limits.timeoutMs ?? askTimeoutMs,
    });
    const text = await readText(caller, response, limits.mostAnswerBytes ?? mostAnswerBytes);
    if (response.ok) return shape.parse(parseJson(text));
    if (response.status === 409 && limits.mayRefuse) throw new EngineRefusal(reasonIn(text));
    throw toError(caller, response, text);
  };
}

/** Of a call that only has to be done, nothing that it answers is read. */
export const done = z.unknown();

const refused = z.object({ message: z.string() });

const toError = ({ displayName }: Caller, { status }: Response, text: string): Error =>
  new Error(`${displayName} answers ${status}: ${text.slice(0, 200)}`);

/** What n8n's editor shows as a link is only in the way elsewhere. */
const reasonIn = (text: string): string =>
  (refused.safeParse(parseJson(text)).data?.message ?? "").replaceAll(/<[^<>]*>/g, "").slice(0, 300) || "no reason given";

const tooMuch = ({ displayName }: Caller, { status }: Response, mostBytes: number): Error =>
  new Error(`${displayName} answers ${status}, and more than ${mostBytes} bytes`);

async function readText(caller: Caller, response: Response, mostBytes: number): Promise<string> {
  return (await boundedBody(response.body, mostBytes, () => tooMuch(caller, response, mostBytes))).toString("utf8");
}

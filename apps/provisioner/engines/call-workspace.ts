/**
 * The control plane's calls into a workspace. The answering process runs beside its customer's code and may answer never, without end, or
 * with anything at all. So time and bytes are limited, and only answers of the expected shape are accepted.
 */
import { z } from "zod";
import { fetchOver } from "#platform/lines/fetch-over.ts";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import { readAddress } from "#platform/lines/open-line.ts";
import { boundedBody, boundedChunks } from "#platform/http/bounded-chunks.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import { parseJson } from "#platform/http/parse-json.ts";
import { EngineRefusal } from "./engine.ts";
import { signToken, type SigningKey } from "./sign-token.ts";
import type { TokenAudience } from "./workspace-side/token-claims.mts";

export interface Caller {
  /** The tool's name, for errors. */
  displayName: string;
  signingKey: SigningKey;
  /** For workspaces that prove their ids. */
  lineKeys?: LineKeys | undefined;
  clock: Clock;
}

interface WorkspaceCall {
  /** As observed by a driver. */
  address: string;
  workspaceId: string;
  audience: TokenAudience;
  path: string;
  /** Sent as JSON with POST; without it, the call is a GET. */
  body?: object | undefined;
  /** From the call to the last byte of its answer. */
  timeoutMs: number;
}

export interface AskLimits {
  timeoutMs?: number;
  mostAnswerBytes?: number;
  /** Whether 409 is a refusal by the tool, thrown as EngineRefusal with its reason. */
  mayRefuse?: boolean;
}

/** Both tools answer within about 30 ms; a workspace at its limit takes seconds. */
const askTimeoutMs = 15 * secondMs;
/** Enough for about two thousand members. */
const mostAnswerBytes = 256 * 1024;

/** Sends the call with a fresh token; the answer's body must still be read with `answerChunks`. */
export function callWorkspace(
  { signingKey, lineKeys, clock }: Caller,
  { address, workspaceId, audience, path, body, timeoutMs }: WorkspaceCall,
): Promise<Response> {
  const token = signToken(signingKey, clock, { audience, workspaceId });
  return fetchOver(readAddress(address, lineKeys), {
    path,
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** The answer's body piece by piece; throws once it is longer than `mostBytes`, which closes the connection. */
export const answerChunks = (caller: Caller, response: Response, mostBytes: number): AsyncGenerator<Uint8Array> =>
  boundedChunks(response.body, mostBytes, () => tooMuch(caller, response, mostBytes));

/** The error for an unexpected answer; reads its message. */
export async function unexpectedAnswer(caller: Caller, response: Response): Promise<Error> {
  return toError(caller, response, await readText(caller, response, mostAnswerBytes));
}

type Ask = <Shape extends z.ZodType>(
  shape: Shape,
  address: string,
  workspaceId: string,
  path: string,
  body?: object,
) => Promise<z.output<Shape>>;

/** Calls for one purpose, answered with JSON of a known shape; every other answer throws. */
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

/** For calls without a result: the answer is not read. */
export const done = z.unknown();

const refused = z.object({ message: z.string() });

const toError = ({ displayName }: Caller, { status }: Response, text: string): Error =>
  new Error(`${displayName} answers ${status}: ${text.slice(0, 200)}`);

/** Removes the links that n8n's messages contain for its editor. */
const reasonIn = (text: string): string =>
  (refused.safeParse(parseJson(text)).data?.message ?? "").replaceAll(/<[^<>]*>/g, "").slice(0, 300) || "no reason given";

const tooMuch = ({ displayName }: Caller, { status }: Response, mostBytes: number): Error =>
  new Error(`${displayName} answers ${status}, and more than ${mostBytes} bytes`);

async function readText(caller: Caller, response: Response, mostBytes: number): Promise<string> {
  return (await boundedBody(response.body, mostBytes, () => tooMuch(caller, response, mostBytes))).toString("utf8");
}

/** Callers of one webhook who each wait for the answer before they call again, like that many customers. */
import { Agent, request } from "undici";

export interface Calls {
  perSecond: number;
  /** Milliseconds of each answer, shortest first. */
  times: number[];
}

/** Throws if an answer is not 200. Resolves when the last call is answered, so that none overlaps with the next measurement. */
export async function callAtOnce(url: string, callers: number, seconds: number): Promise<Calls> {
  // Names below localhost are not known to every machine's resolver.
  const agent = new Agent({
    connections: callers,
    connect: { lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) },
  });
  const times: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const call = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const { statusCode, body } = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"say":"hello"}',
        dispatcher: agent,
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode} under load: ${text.slice(0, 300)}`);
      times.push(performance.now() - sentMs);
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, call));
    return { perSecond: (times.length * 1000) / (performance.now() - startMs), times: times.toSorted((one, other) => one - other) };
  } finally {
    await agent.destroy();
  }
}

/** The time within which this share of the answers arrived. */
export const part = (times: number[], of: number): number => times[Math.min(times.length - 1, Math.floor(times.length * of))]!;

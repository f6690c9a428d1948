/** Calls at a steady rate, however slowly they are answered, and what became of each. */
import { Agent, request } from "node:http";

interface Call {
  url: string;
  method: "GET" | "POST";
}

export interface SteadyCalls {
  /** Sends no more, and waits for the answers. */
  stop(): Promise<{ sent: number; posted: number; failed: string[]; slowestMs: number }>;
}

/** Longer than the gateway lets a call wait. */
const answerWithinMs = 60_000;

export function startSteadyCalls(calls: readonly Call[], perSecond: number): SteadyCalls {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const pending = new Set<Promise<void>>();
  const failed: string[] = [];
  let sent = 0;
  let posted = 0;
  let slowestMs = 0;

  const send = ({ url, method }: Call): Promise<void> => {
    const { hostname, host, port, pathname } = new URL(url);
    const began = performance.now();
    return new Promise((resolve) => {
      const fail = (reason: string): void => {
        failed.push(`${method} ${hostname} after ${Math.round(performance.now() - began)} ms: ${reason}`);
        resolve();
      };
      const req = request({ host: "127.0.0.1", port, path: pathname, method, headers: { host }, agent }, (res) => {
        let text = "";
        res.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        res.once("error", (error) => fail(error.message));
        res.once("end", () => {
          slowestMs = Math.max(slowestMs, performance.now() - began);
          if (res.statusCode !== 200) return fail(`${res.statusCode} ${text.slice(0, 200)}`);
          resolve();
        });
      });
      req.setTimeout(answerWithinMs, () => req.destroy(new Error("no answer")));
      req.once("error", (error) => fail(error.message));
      req.end(method === "POST" ? "order" : undefined);
    });
  };

  const timer = setInterval(() => {
    const call = calls[sent % calls.length]!;
    sent += 1;
    if (call.method === "POST") posted += 1;
    const sending = send(call).finally(() => pending.delete(sending));
    pending.add(sending);
  }, 1_000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      agent.destroy();
      return { sent, posted, failed, slowestMs };
    },
  };
}

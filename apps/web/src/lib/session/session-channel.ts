/** What tabs tell each other about who is signed in: they share a cookie, and must not show another user's data. */
import { localValues } from "../browser/stored-value.ts";

export type SessionNews = { kind: "signed-out" } | { kind: "signed-in"; userId: string };

const name = "slipway.session";

interface Messenger {
  send(news: SessionNews): void;
  hear(listener: (news: SessionNews) => void): void;
}

/** If a browser has no channels, a change of storage, which only other tabs are notified of. */
export function createSessionChannel(Channel: typeof BroadcastChannel | null = globalThis.BroadcastChannel ?? null): Messenger {
  return Channel ? byChannel(new Channel(name)) : byStorage();
}

function byChannel(channel: BroadcastChannel): Messenger {
  return {
    send: (news) => channel.postMessage(news),
    hear: (listener) => channel.addEventListener("message", ({ data }) => isNews(data) && listener(data)),
  };
}

function byStorage(): Messenger {
  return {
    // The time makes each value new: storing the same value again would not count as a change.
    send: (news) => void localValues.write(name, JSON.stringify({ ...news, at: Date.now() })),
    hear: (listener) =>
      addEventListener("storage", ({ key, newValue }) => {
        if (key !== name || !newValue) return;
        const news = readJson(newValue);
        if (isNews(news)) listener(news);
      }),
  };
}

function isNews(value: unknown): value is SessionNews {
  const { kind, userId } = (value ?? {}) as Record<string, unknown>;
  return kind === "signed-out" || (kind === "signed-in" && typeof userId === "string");
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The keys by which servers prove their names to the service. Each is derived from the service's key, and stored nowhere. */
import type { Secrets } from "../secrets.ts";

export interface LineKey {
  /** Precedes an address: the server's name, and which service key its own key is derived from. Not secret. */
  mark: string;
  /** 32 bytes that only the service and that server have. */
  key: Buffer;
}

export interface LineKeys {
  /** What a server that is being started is given. Names are letters, digits, `-` and `_`. */
  named(name: string): LineKey;
  /** The key of a mark; undefined if it comes from a service key that is neither the current nor the previous one. */
  keyOf(mark: string): Buffer | undefined;
}

export function createLineKeys(secrets: Secrets): LineKeys {
  const derive = (from: Secrets, name: string) => from.derive(`line:${name}`);
  return {
    named: (name) => ({ mark: `${name}.${secrets.keyId}`, key: derive(secrets, name) }),
    keyOf(mark) {
      const cut = mark.lastIndexOf(".");
      const from = [secrets, secrets.previous].find((each) => each?.keyId === mark.slice(cut + 1));
      return from ? derive(from, mark.slice(0, cut)) : undefined;
    },
  };
}

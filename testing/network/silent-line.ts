/** A connection to a server that can go silent, as after a cut cable, dropped packets or a failover. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from "node:net";

export interface SilentLine extends AsyncDisposable {
  host: string;
  port: number;
  /** From now on nothing passes on open connections; new ones work. */
  dropOpen(): void;
  /** Nothing passes, on new connections either, until `thaw`; data sent before that arrives then. */
  freeze(): void;
  thaw(): void;
  /** Connections so far, to a frozen line too. */
  opened(): number;
}

/** Listens on the loopback and forwards to `server`. */
export async function openSilentLine(server: NetConnectOpts): Promise<SilentLine> {
  const lines = new Set<Socket>();
  const dropped = new Set<Socket>();
  let frozen = false;
  let opened = 0;
  const door = createServer((client) => {
    opened += 1;
    const far = connect(server);
    for (const [from, to] of [
      [client, far],
      [far, client],
    ] as const) {
      lines.add(from);
      if (frozen) from.pause();
      from.on("data", (data) => void (dropped.has(from) || to.write(data)));
      from.on("error", () => undefined);
      from.on("close", () => {
        lines.delete(from);
        if (!dropped.has(from)) to.destroy();
      });
      if (frozen) from.pause();
    }
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  return {
    host: "127.0.0.1",
    port: (door.address() as AddressInfo).port,
    dropOpen: () => lines.forEach((line) => dropped.add(line)),
    freeze() {
      frozen = true;
      lines.forEach((line) => line.pause());
    },
    thaw() {
      frozen = false;
      lines.forEach((line) => line.resume());
    },
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      lines.forEach((line) => line.destroy());
      door.close();
      await once(door, "close");
    },
  };
}

import { createServer, type AddressInfo } from "node:net";

/** A port of 127.0.0.1 for each name, free at this moment; all are kept open until all are known, so that they differ. */
export async function findFreePorts(names: readonly string[]): Promise<Record<string, number>> {
  const servers = names.map(() => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once("error", reject).listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return Object.fromEntries(names.map((name, at) => [name, ports[at]!]));
}

/** The gateway alone in its process, in front of the given address; each account name is a separate workspace. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway } from "#apps/gateway/create-gateway.ts";
import { resolveHost } from "#apps/gateway/routes/resolve-host.ts";
import { gatewayServerOptions } from "#apps/gateway/server-options.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { reportMemory } from "./report-memory.ts";

const address = process.argv[2]!;
const gateway = createGateway({
  lookUp: async (accountName) => ({ workspaceId: accountName, state: "online", address, open: true }),
  panelUrl: "http://localhost",
  publicScheme: "http",
  probeToken: "",
  log: createLog("warn"),
  clock: systemClock,
});
const server = createServer(gatewayServerOptions, (req, res) => {
  const host = resolveHost(req.headers.host, "localhost");
  if (host.kind === "workspace") gateway.handleRequest(req, res, host.accountName);
  else gateway.handleUnknown(req, res);
});
server.on("upgrade", (req, socket, head) => {
  const host = resolveHost(req.headers.host, "localhost");
  gateway.handleUpgrade(req, socket, head, host.kind === "workspace" ? host.accountName : "");
});
reportMemory();
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());

/**
 * The gateway sends the next call on a connection that the last one left open. Node closes such a connection six seconds after its last
 * answer, and looks at its clock before it looks at what has arrived: after a storm that kept this process busy for longer, it would reset a
 * connection on which a call waits, which then counts as lost. So the gateway alone closes them, after four seconds.
 */
import { subscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";

/** Longer than any work that this process survives: it is ended when it has not answered for as long. */
const idleMs = 10 * 60_000;

/** For every server of this process, from its first request on: neither n8n nor Node-RED gives theirs away before it listens. */
export function keepConnections(): void {
  subscribe("http.server.request.start", (message) => {
    const { server } = message as { server: Server };
    server.keepAliveTimeout = idleMs;
  });
}

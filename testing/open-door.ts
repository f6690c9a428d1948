/** The real gateway in front of one process that runs without a control plane: for an engine's suites, in tests and in qualification. */
import { startTestGateway } from "./network/start-test-gateway.ts";

export interface Door extends AsyncDisposable {
  /** The URL for visitors, without a trailing slash. The name resolves in browsers, and in `visit` of the engines' suites. */
  url: string;
}

/** `address` is called for each visit, since a restarted process has a new one. */
export async function openDoor(workspaceId: string, address: () => string): Promise<Door> {
  const gateway = await startTestGateway({
    lookUp: async (name) => (name === "acme" ? { workspaceId, state: "online", address: address(), open: true } : null),
    panelUrl: "http://localhost:3000",
  });
  return { url: `http://acme.localhost:${gateway.port}`, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

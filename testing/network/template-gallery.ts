/** A template gallery on loopback, as n8n's editor expects it: a single template, number 1954, with a Webhook trigger. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface TemplateGallery extends AsyncDisposable {
  /** For TEMPLATES_URL. */
  url: string;
  templateName: string;
}

const templateName = "Greet whoever calls";
const nodes = [
  {
    id: "webhook",
    name: "Webhook",
    type: "n8n-nodes-base.webhook",
    typeVersion: 2,
    position: [0, 0],
    parameters: { path: "greet", options: {} },
  },
];
const workflow = { nodes, connections: {} };

const answers: Record<string, unknown> = {
  "/api/templates/workflows/1954": {
    workflow: {
      id: 1954,
      name: templateName,
      views: 1,
      createdAt: "2026-01-01T00:00:00Z",
      nodes: [],
      categories: [],
      image: [],
      user: { username: "ada" },
      workflow,
    },
  },
  "/api/workflows/templates/1954": { name: templateName, workflow },
};

/** Starts it on a free port. The editor sends credentials, so the answer names the editor's origin. */
export async function startTemplateGallery(): Promise<TemplateGallery> {
  const server = createServer((req, res) => {
    const answer = answers[req.url?.split("?")[0] ?? ""];
    res.writeHead(req.method === "OPTIONS" || answer ? 200 : 404, {
      "content-type": "application/json",
      "access-control-allow-origin": req.headers.origin ?? "*",
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET",
      "access-control-allow-headers": req.headers["access-control-request-headers"] ?? "content-type",
    });
    res.end(req.method === "OPTIONS" ? undefined : JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/api/`, templateName, [Symbol.asyncDispose]: close };
}

/** The ways for a tenant to make its n8n do things: one workflow with a webhook before each chain of nodes. */
import { randomUUID } from "node:crypto";

interface Node {
  name: string;
  type: string;
  typeVersion: number;
  parameters: object;
}

const base = (name: string, type: string, typeVersion: number, parameters: object): Node => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  parameters,
});
const body = (field: string): string => `={{ $json.body.${field} }}`;

/** Runs a script of any length in the process of the Code node, outside its sandbox. */
const codeScript = `const run = require('node:vm').runInThisContext('(async (require, given) => {' + $input.first().json.body.script + '})');
return [{ json: { result: await run(require, $input.first().json.body.given) } }];`;

const chains = {
  command: [base("Execute Command", "executeCommand", 1, { executeOnce: true, command: body("command") })],
  code: [base("Code", "code", 2, { jsCode: codeScript })],
  http: [
    base("HTTP Request", "httpRequest", 4.2, {
      url: body("url"),
      sendHeaders: true,
      headerParameters: { parameters: [{ name: "host", value: body("host") }] },
      options: { timeout: 2_000, response: { response: { fullResponse: true, neverError: true, responseFormat: "text" } } },
    }),
  ],
  read: [
    base("Read File", "readWriteFile", 1, { operation: "read", fileSelector: body("path"), options: {} }),
    base("Its Text", "extractFromFile", 1, { operation: "text", options: {} }),
  ],
  write: [
    base("As File", "convertToFile", 1.1, { operation: "toText", sourceProperty: "body.content", options: {} }),
    base("Write File", "readWriteFile", 1, {
      operation: "write",
      fileName: "={{ $('write').first().json.body.path }}",
      options: { append: false },
    }),
  ],
  module: [{ name: "Shell", type: "CUSTOM.shell", typeVersion: 1, parameters: { script: body("script") } }],
} as const satisfies Record<string, readonly Node[]>;

export type Door = keyof typeof chains;

/** `prefix` makes the webhooks' URLs unique; each answers with the output of the last node of its chain, errors included. */
export function doorsWorkflow(prefix: string) {
  const placed: object[] = [];
  const connections: Record<string, object> = {};
  for (const [row, [door, chain]] of Object.entries(chains).entries()) {
    const webhook = {
      ...base(door, "webhook", 2, { path: `${prefix}-${door}`, httpMethod: "POST", responseMode: "lastNode" }),
      webhookId: randomUUID(),
    };
    const nodes = [webhook, ...chain];
    for (const [column, node] of nodes.entries()) {
      placed.push({
        ...node,
        id: randomUUID(),
        position: [220 * column, 200 * row],
        ...(column > 0 && { onError: "continueRegularOutput" }),
      });
      const next = nodes[column + 1];
      if (next) connections[node.name] = { main: [[{ node: next.name, type: "main", index: 0 }]] };
    }
  }
  return { name: "doors", settings: {}, active: false, nodes: placed, connections };
}

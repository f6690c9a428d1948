/** A call as a reader would write it: with curl, and in TypeScript. */
import { idempotencyHeader } from "#contract/billing/billing.ts";
import { bodySchema, shapeName, type Operation, type Schema, type Schemas } from "./api-document.ts";

/** Schemas may refer to each other, so an example stops at this depth. */
const deepest = 6;

/** Texts by which a reader recognizes what a field is. */
const textOf: Record<string, string> = {
  "date-time": "2026-12-01T09:00:00.000Z",
  date: "2026-12-01",
  email: "ada@example.com",
  uuid: "0b0a4ad2-64c1-4f0e-9d5b-0c6a3b0f6f11",
};

/**
 * A value with the shape of `schema`: every required property, or all if none is required, and the first of several choices. It need not be
 * acceptable to the service.
 */
export function exampleOf(schema: Schema | undefined, schemas: Schemas, depth = 0): unknown {
  if (!schema || depth > deepest) return null;
  if (schema.$ref) return exampleOf(schemas[shapeName(schema.$ref)], schemas, depth + 1);
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice) return exampleOf(choice, schemas, depth + 1);
  if (schema.type === "array") return [exampleOf(schema.items, schemas, depth + 1)];
  if (schema.properties) {
    const { required = [] } = schema;
    const shown = Object.entries(schema.properties).filter(([name]) => required.length === 0 || required.includes(name));
    return Object.fromEntries(shown.map(([name, each]) => [name, exampleOf(each, schemas, depth + 1)]));
  }
  if (schema.type === "object") return {};
  if (schema.type === "boolean") return true;
  if (schema.type === "integer" || schema.type === "number") return Math.max(schema.minimum ?? 1, 1);
  return textOf[schema.format ?? ""] ?? "…";
}

/** What a call sends; the examples and the form of the reference start from it. */
interface CallExample {
  /** Headers besides those of the session. */
  headers: Record<string, string>;
  /** JSON with two spaces; empty without a body. */
  body: string;
  curl: string;
  typescript: string;
}

/** The examples of a call. `$SLIPWAY` is the panel's address and `$TOKEN` a session's token. */
export function callExample(method: string, path: string, operation: Operation, schemas: Schemas): CallExample {
  const schema = bodySchema(operation.requestBody);
  const body = schema ? JSON.stringify(exampleOf(schema, schemas), null, 2) : "";
  const once = operation.responses?.["default"]?.description?.includes("idempotency_key_reused");
  const headers = {
    ...(body ? { "content-type": "application/json" } : {}),
    ...(once ? { [idempotencyHeader]: "a-new-key-for-each-operation" } : {}),
  };
  const sent = { method: method.toUpperCase(), path: withQuery(path, operation), headers, body, session: Boolean(operation.security) };
  return { headers, body, curl: inCurl(sent), typescript: inTypeScript(sent, operation) };
}

interface SentCall {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  session: boolean;
}

function withQuery(path: string, { parameters = [] }: Operation): string {
  const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  return required.length === 0 ? path : `${path}?${required.map(({ name }) => `${name}={${name}}`).join("&")}`;
}

function inCurl({ method, path, headers, body, session }: SentCall): string {
  const named = Object.entries(session ? { authorization: "Bearer $TOKEN", ...headers } : headers);
  return [
    `curl ${method === "HEAD" ? "--head " : method === "GET" ? "" : `-X ${method} `}"$SLIPWAY${path}"`,
    ...named.map(([name, value]) => `  -H "${name}: ${value}"`),
    ...(body ? [`  -d '${body.replaceAll("'", String.raw`'\''`)}'`] : []),
  ].join(" \\\n");
}

function inTypeScript({ method, path, headers, body, session }: SentCall, { responses = {} }: Operation): string {
  const named = Object.entries(headers).map(([name, value]) => `    "${name}": "${value}",\n`);
  const shown = [
    method === "GET" ? "" : `  method: "${method}",\n`,
    session || named.length > 0 ? `  headers: {\n${session ? "    authorization: `Bearer ${token}`,\n" : ""}${named.join("")}  },\n` : "",
    body ? `  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),\n` : "",
  ].join("");
  const answers = Object.keys(responses).some((status) => status !== "default" && bodySchema(responses[status]));
  return [
    `const answer = await fetch(\`\${slipway}${path.replaceAll("{", "${")}\`${shown ? `, {\n${shown}}` : ""});`,
    `if (!answer.ok) throw new Error((await answer.json()).code);`,
    ...(answers ? ["const result = await answer.json();"] : []),
  ].join("\n");
}

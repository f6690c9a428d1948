import { expect, test } from "vitest";
import type { KnownCall, KnownWebhooks } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import { n8nSleepingCalls, saidWebhooks } from "./n8n-sleeping-calls.ts";

const { read, refuse } = n8nSleepingCalls;

const id = "6a1f8d0e-0000-4000-8000-000000000001";
const rows = [
  ["GET", "many", null, null],
  ["POST", "many", null, null],
  ["PUT", "many", null, null],
  ["POST", "orders", null, null],
  ["GET", "a b/ä", null, null],
  ["POST", "user/:id/more", id, 3],
];
const reported = { rows, executions: [7, 90] };
const known = saidWebhooks.parse(reported)!;

/** As the database looks it up. */
const knownOf = ({ path, template }: { path: string; template: string }, all: KnownWebhooks = known): KnownCall => ({
  methods: Object.hasOwn(all.paths, path) ? all.paths[path]! : null,
  isTemplated: all.templates.includes(template),
  executions: all.executions,
});

function answerTo(method: string, url: string, all?: KnownWebhooks) {
  const call = read(method, url);
  return call && refuse(call, knownOf(call, all));
}

test.each([
  ["POST", "/webhook/orders"],
  ["POST", "/webhook/orders/"],
  ["POST", "/webhook/orders%2F"],
  ["POST", "/webhook/orders%2f?to=1"],
  ["POST", `/webhook/${id}/user/7/more%2F`],
  ["POST", "/WEBHOOK/orders?to=1"],
  ["POST", "/webhook/or%64ers"],
  ["OPTIONS", "/webhook/orders"],
  ["PROPFIND", "/webhook/orders"],
  ["POST", "/form/orders"],
  ["POST", "/mcp/orders"],
  ["GET", "/webhook/a%20b/%C3%A4"],
  ["GET", "/webhook/a%20b%2F%C3%A4"],
  ["POST", "/webhook/user/:id/more"],
  ["POST", `/webhook/${id}/user/7/more`],
  ["GET", `/webhook/${id}/user/7/more`],
  ["POST", `/form/${id}/user/7%2Fmore`],
  ["POST", "/webhook-waiting/7"],
  ["GET", "/webhook-waiting/90/approve?signature=abc"],
  ["GET", "/form-waiting/20"],
  ["GET", "/form-waiting/91/n8n-execution-status"],
  ["POST", "/webhook-waiting/007"],
  ["POST", "/webhook-waiting/91/a/b"],
])("%s %s is a workflow's, or may be one's, and wakes", (method, url) => {
  expect(answerTo(method, url)).toBeNull();
});

test.each([
  "/",
  "/rest/login",
  "/webhook",
  "/webhook/",
  "/webhook-waiting-slack",
  "/webhooks/none",
  "/mcp-server/http",
  "/mcp-waiting/91",
  "/webhook//none",
  "/webhook/%2F",
  "/webhook/%ff",
  "/webhook/%00",
  "/webhook/none#orders",
  "/webhook/none\\orders",
  "http://acme.localhost/webhook/none",
])("%s is left to n8n to judge, and wakes it", (url) => {
  expect(read("GET", url)).toBeNull();
});

const unregistered = (what: string) => ({
  code: 404,
  message: `The requested webhook "${what}" is not registered.`,
  hint: expect.stringMatching(/^The workflow must be active for a production URL/),
});
const otherMethod = (method: string, methods: string) => ({
  code: 404,
  message: `This webhook is not registered for ${method} requests. Did you mean to make a ${methods} request?`,
});
const untested = { code: 404, message: 'The requested webhook "orders" is not registered.', hint: expect.stringMatching(/^Click the/) };

test.each([
  ["GET", "/webhook/none", unregistered("GET none")],
  ["POST", "/webhook/orders%2F/", unregistered("POST orders/")],
  ["POST", "/webhook/Orders", unregistered("POST Orders")],
  ["GET", "/mcp/%22none%22/sse/", unregistered('GET "none"/sse')],
  ["POST", "/webhook/__proto__", unregistered("POST __proto__")],
  ["POST", `/webhook/${id}/user/7`, unregistered(`POST ${id}/user/7`)],
  ["GET", "/webhook/orders", otherMethod("GET", "POST")],
  ["DELETE", "/webhook/many", otherMethod("DELETE", "GET, POST or PUT")],
  ["HEAD", "/webhook/orders", otherMethod("HEAD", "POST")],
  ["POST", "/webhook-test/orders", untested],
  ["POST", "/mcp-test/orders/", untested],
  ["POST", "/webhook-waiting/91", { code: 404, message: 'The execution "91" does not exist.' }],
  ["GET", "/webhook-waiting/6/approve", { code: 404, message: 'The execution "6" does not exist.' }],
] as const)("%s %s is no workflow's: n8n's own answer says so", (method, url, answer) => {
  const { json } = answerTo(method, url) as { json: string };
  expect(JSON.parse(json)).toEqual(answer);
});

test.each(["/form/none", "/form-test/orders", "/webhook/none/n8n-form", "/form-waiting/91"])("who opens %s sees a page", (url) => {
  expect(answerTo("GET", url)).toBe("page");
});

test("without executions, none can be resumed", () => {
  const all = saidWebhooks.parse({ rows, executions: null })!;
  expect(answerTo("POST", "/webhook-waiting/7", all)).not.toBeNull();
});

const row = (path: unknown, ...others: unknown[]) => ({
  rows: [...rows, ["GET", path, ...(others.length > 0 ? others : [null, null])]],
  executions: null,
});

test.each([
  ["nothing", undefined],
  ["null", null],
  ["a text", "rows"],
  ["no executions", { rows }],
  ["another method", { rows: [["BREW", "tea", null, null]], executions: null }],
  ["a path that is empty", row("")],
  ["a path that the database refuses", row("a\0b")],
  ["half a character", row("\ud800")],
  ["a path that is too long", row("a".repeat(1001))],
  ["a path that is no text", row({ path: "orders" })],
  ["a length below zero", row("a/:b", id, -1)],
  ["a column too many", row("a", null, null, null)],
  ["executions below zero", { rows, executions: [-1, 5] }],
  ["1,001 webhooks", { rows: Array.from({ length: 1001 }, (_, n) => ["GET", `${n}`, null, null]), executions: null }],
  ["more than 64 KB", { rows: Array.from({ length: 100 }, (_, n) => ["GET", `${n}${"a".repeat(900)}`, null, null]), executions: null }],
])("if a workspace reports %s, nothing is known of its webhooks", (_what, value) => {
  expect(saidWebhooks.parse(value) ?? null).toBeNull();
});

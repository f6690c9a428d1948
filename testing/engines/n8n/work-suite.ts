/**
 * What works in a plain n8n works in a hosted one, through the gateway: run by the engine's test and for each qualified release, on the
 * workspace after hook-suite.ts. Each check makes what it needs and depends on no earlier one.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { FormData } from "undici";
import { signToken } from "#apps/provisioner/engines/sign-token.ts";
import { withVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { systemClock } from "#platform/clock.ts";
import { suiteVariables, type EngineScene } from "../engine-suite.ts";
import { apiSuite } from "./api-suite.ts";
import { assistantSuite } from "./assistant-suite.ts";
import { codeSuite } from "./code-suite.ts";
import { concurrencySuite } from "./concurrency-suite.ts";
import { editorSuite } from "./editor-suite.ts";
import type { HookPromise } from "./hook-scene.ts";
import { tellPlan } from "./quota-suite.ts";
import { wayInSuite } from "./way-in-suite.ts";
import {
  chain,
  code,
  dataOf,
  executionsOf,
  executionWhere,
  newApiKey,
  ownerCookie,
  post,
  publish,
  visit,
  webhook,
  whenThere,
} from "./work-scene.ts";

/** What the engine itself never sends, too. */
const tellVariables = (scene: EngineScene, variables: object): Promise<Response> =>
  fetch(`http://${scene.address()}/_slipway/variables`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${signToken(scene.signingKey, systemClock, { audience: "variables", workspaceId: scene.workspaceId })}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ variables, readable: true }),
  });

const owner = { email: "ada@example.com", fullName: "Ada de Lovelace" };
const unlimited = {
  status: "active",
  limits: { executions: -1, activeWorkflows: -1, credentials: -1, users: -1, concurrentExecutions: -1 },
} as const;

export const workSuite: readonly HookPromise[] = [
  {
    promise: "the workspace for daily work has its owner and an unlimited plan",
    keep: async (scene) => {
      await scene.engine.setUpOwner(scene.address(), scene.workspaceId, owner);
      await scene.engine.updateOwner!(scene.address(), scene.workspaceId, owner);
      await tellPlan(scene, unlimited);
      assert.equal((await visit(scene, "/rest/login", { headers: { cookie: await ownerCookie(scene) } })).status, 200);
    },
  },
  ...wayInSuite,
  ...codeSuite,
  ...editorSuite,
  ...assistantSuite,
  ...apiSuite,
  ...concurrencySuite,
  {
    promise: "files are written and read in the workspace's own folder, which the editor names",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const files = { type: "n8n-nodes-base.readWriteFile", typeVersion: 1.1 };
      await publish(
        scene,
        cookie,
        chain("files", [
          webhook("files"),
          {
            name: "Text",
            type: "n8n-nodes-base.convertToFile",
            typeVersion: 1.1,
            parameters: { operation: "toText", sourceProperty: "body.text" },
          },
          { name: "Write", ...files, parameters: { operation: "write", fileName: ".n8n-files/greeting.txt" } },
          { name: "Read", ...files, parameters: { operation: "read", fileSelector: ".n8n-files/*.txt" } },
          { name: "Extract", type: "n8n-nodes-base.extractFromFile", typeVersion: 1, parameters: { operation: "text" } },
        ]),
      );
      const answer = await whenThere(() => post(scene, "/webhook/files", { text: "hello from a file" }));
      assert.match(await answer.text(), /"data":"hello from a file"/);
      const types = (await (await visit(scene, "/types/nodes.json", { headers: { cookie } })).json()) as {
        name: string;
        properties: { name: string; displayName: string; placeholder?: string }[];
      }[];
      const { properties } = types.find(({ name }) => name === files.type)!;
      const property = (wanted: string) => properties.find(({ name }) => name === wanted);
      assert.match(property("info")!.displayName, /\.n8n-files\/report\.pdf/);
      for (const field of ["fileName", "fileSelector"]) assert.match(property(field)!.placeholder!, /\.n8n-files/);
    },
  },
  {
    promise:
      "webhooks accept every method, JSON, forms and files, see the caller's headers and address, and answer with their own status and headers",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const path = `any-${randomUUID()}`;
      const answer = {
        name: "Answer",
        type: "n8n-nodes-base.respondToWebhook",
        typeVersion: 1.5,
        parameters: {
          respondWith: "json",
          responseBody:
            "={{ JSON.stringify({ body: $json.body, query: $json.query, agent: $json.headers['x-own'], files: Object.keys($binary) }) }}",
          options: { responseCode: 201, responseHeaders: { entries: [{ name: "x-answered", value: "yes" }] } },
        },
      };
      await publish(
        scene,
        cookie,
        chain(path, [
          webhook(path, { multipleMethods: true, httpMethod: ["GET", "POST", "PUT", "PATCH", "DELETE"], responseMode: "responseNode" }),
          answer,
        ]),
      );
      // Each method has a separate output: only the first is connected.
      const got = await whenThere(() => visit(scene, `/webhook/${path}?a=1`, { headers: { "x-own": "mine" } }));
      assert.deepEqual([got.status, got.headers.get("x-answered")], [201, "yes"]);
      assert.deepEqual(await got.json(), { body: {}, query: { a: "1" }, agent: "mine", files: [] });

      const posted = `post-${randomUUID()}`;
      await publish(scene, cookie, chain(posted, [webhook(posted, { responseMode: "responseNode" }), answer]));
      const json = await whenThere(() => post(scene, `/webhook/${posted}`, { deep: [1, "é"] }));
      assert.deepEqual(((await json.json()) as { body: object }).body, { deep: [1, "é"] });
      const form = await visit(scene, `/webhook/${posted}`, { method: "POST", body: new URLSearchParams({ name: "Ada L." }) });
      assert.deepEqual(((await form.json()) as { body: object }).body, { name: "Ada L." });
      const parts = new FormData();
      parts.set("note", "hello");
      parts.set("file", new Blob([Buffer.alloc(1_000_000, 7)], { type: "application/octet-stream" }), "seven.bin");
      const file = (await (await visit(scene, `/webhook/${posted}`, { method: "POST", body: parts })).json()) as {
        body: object;
        files: string[];
      };
      assert.deepEqual([file.body, file.files], [{ note: "hello" }, ["file"]]);
    },
  },
  {
    promise:
      "a body that is too large gets 413 with the limit, a file of 20 MB in a form arrives, and the page of users meets no missing part",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const path = `large-${randomUUID()}`;
      await publish(
        scene,
        cookie,
        chain(path, [
          webhook(path, { responseMode: "lastNode" }),
          code("return [{ json: { bytes: $input.first().binary?.file?.bytes ?? 0 } }];"),
        ]),
      );
      assert.equal((await whenThere(() => post(scene, `/webhook/${path}`, {}))).status, 200);
      const raw = `raw-${randomUUID()}`;
      const rawId = await publish(scene, cookie, chain(raw, [webhook(raw, { options: { rawBody: true } })]));
      assert.equal((await whenThere(() => post(scene, `/webhook/${raw}`, {}))).status, 200);
      // Each size arrives differently: the answer comes while some of the body is still on its way.
      for (const megabytes of [16.2, 17, 24])
        for (const [at, type] of [
          [path, "application/json"],
          [raw, "application/octet-stream"],
        ] as const) {
          const body = Buffer.alloc(megabytes * 1024 * 1024, 120);
          const sent = Array.from({ length: 3 }, () =>
            visit(scene, `/webhook/${at}`, { method: "POST", headers: { "content-type": type }, body }),
          );
          for (const answer of await Promise.all(sent))
            assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [413, "body_too_large"], `${megabytes} MB`);
        }
      assert.equal((await executionsOf(scene, cookie, rawId)).length, 1);
      const form = new FormData();
      form.set("file", new Blob([Buffer.alloc(20 * 1024 * 1024, 7)], { type: "application/octet-stream" }), "seven.bin");
      const sent = await visit(scene, `/webhook/${path}`, { method: "POST", body: form });
      assert.equal(sent.status, 200, await sent.text());
      assert.equal((await visit(scene, "/rest/sso/provisioning/config", { headers: { cookie } })).status, 200);
    },
  },
  {
    promise: "a webhook streams its answer if its workflow streams",
    keep: async (scene) => {
      const path = `stream-${randomUUID()}`;
      const answer = {
        name: "Answer",
        type: "n8n-nodes-base.respondToWebhook",
        typeVersion: 1.5,
        parameters: { respondWith: "text", responseBody: "piece by piece", options: { enableStreaming: true } },
      };
      await publish(scene, await ownerCookie(scene), chain(path, [webhook(path, { responseMode: "streaming" }), answer]));
      const response = await whenThere(() => post(scene, `/webhook/${path}`, {}));
      const text = await response.text();
      assert.equal(response.status, 200, text);
      assert.equal(response.headers.get("transfer-encoding"), "chunked");
      const pieces = text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { type: string; content?: string });
      assert.deepEqual(
        pieces.map(({ type }) => type),
        ["begin", "item", "end"],
      );
      assert.equal(pieces[1]!.content, "piece by piece");
    },
  },
  {
    promise: "a form shows its page, accepts an answer, and passes it to the workflow",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const path = `form-${randomUUID()}`;
      const trigger = {
        name: "Form",
        type: "n8n-nodes-base.formTrigger",
        typeVersion: 2.2,
        webhookId: path,
        parameters: {
          path,
          formTitle: "Your order",
          formFields: { values: [{ fieldLabel: "Name", requiredField: true }] },
          responseMode: "lastNode",
          options: { path },
        },
      };
      const id = await publish(
        scene,
        cookie,
        chain(path, [trigger, code("return [{ json: { greeting: 'Hello ' + $input.first().json.Name } }];")]),
      );
      const page = await whenThere(() => visit(scene, `/form/${path}`, { headers: { accept: "text/html" } }));
      assert.match(await page.text(), /Your order/);
      const parts = new FormData();
      parts.set("field-0", "Ada");
      const sent = await visit(scene, `/form/${path}`, { method: "POST", body: parts });
      assert.equal(sent.status, 200, await sent.text());
      const { id: executionId } = await executionWhere(scene, cookie, id, ({ status }) => status === "success");
      assert.match(await (await visit(scene, `/rest/executions/${executionId}`, { headers: { cookie } })).text(), /Hello Ada/);
    },
  },
  {
    promise: "a waiting workflow continues when its resume URL is called",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const path = `wait-${randomUUID()}`;
      const say = {
        name: "Say",
        type: "n8n-nodes-base.respondToWebhook",
        typeVersion: 1.5,
        parameters: { respondWith: "text", responseBody: "={{ $execution.resumeUrl }}" },
      };
      const wait = {
        name: "Wait",
        type: "n8n-nodes-base.wait",
        typeVersion: 1.1,
        webhookId: randomUUID(),
        parameters: { resume: "webhook", responseMode: "lastNode", httpMethod: "POST" },
      };
      const id = await publish(
        scene,
        cookie,
        chain(path, [
          webhook(path, { responseMode: "responseNode" }),
          say,
          wait,
          code("return [{ json: { heard: $input.first().json.body } }];"),
        ]),
      );
      const resumeUrl = new URL(await (await whenThere(() => post(scene, `/webhook/${path}`, {}))).text());
      assert.equal(resumeUrl.hostname.split(".").at(-1), "localhost");
      await executionWhere(scene, cookie, id, ({ status }) => status === "waiting");
      const resumed = await post(scene, resumeUrl.pathname + resumeUrl.search, { go: "on" });
      assert.deepEqual(await resumed.json(), { heard: { go: "on" } });
      await executionWhere(scene, cookie, id, ({ status }) => status === "success");
    },
  },
  {
    promise: "the public API accepts a key",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const headers = { "x-n8n-api-key": await newApiKey(scene, cookie) };
      const listed = await visit(scene, "/api/v1/workflows?limit=5", { headers });
      assert.ok(((await listed.json()) as { data: unknown[] }).data.length > 0);
      assert.equal((await visit(scene, "/api/v1/workflows")).status, 401);
    },
  },
  {
    promise: "a failing workflow runs its error workflow",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const name = `error-${randomUUID()}`;
      const handler = await publish(
        scene,
        cookie,
        chain(name, [
          { name: "Error", type: "n8n-nodes-base.errorTrigger", typeVersion: 1 },
          code("return [{ json: { seen: $input.first().json.execution.error.message } }];"),
        ]),
      );
      const path = `fails-${randomUUID()}`;
      await publish(scene, cookie, chain(path, [webhook(path), code("throw new Error('out of paper');")], { errorWorkflow: handler }));
      assert.equal((await whenThere(() => post(scene, `/webhook/${path}`, {}))).status, 500);
      const { id } = await executionWhere(scene, cookie, handler, ({ status, mode }) => status === "success" && mode === "error");
      assert.match(await (await visit(scene, `/rest/executions/${id}`, { headers: { cookie } })).text(), /out of paper/);
    },
  },
  {
    promise: "a data table keeps rows that a workflow writes",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const { id: projectId } = await dataOf<{ id: string }>(await visit(scene, "/rest/projects/personal", { headers: { cookie } }));
      const tables = `/rest/projects/${projectId}/data-tables`;
      const table = await dataOf<{ id: string }>(
        await post(scene, tables, { name: `t${randomUUID().slice(0, 8)}`, columns: [{ name: "city", type: "string" }] }, { cookie }),
      );
      const path = `table-${randomUUID()}`;
      const insert = {
        name: "Insert",
        type: "n8n-nodes-base.dataTable",
        typeVersion: 1,
        parameters: {
          operation: "insert",
          dataTableId: { __rl: true, mode: "id", value: table.id },
          columns: {
            mappingMode: "defineBelow",
            value: { city: "={{ $json.body.city }}" },
            matchingColumns: [],
            schema: [{ id: "city", displayName: "city", type: "string", display: true, required: false, defaultMatch: false }],
          },
          options: {},
        },
      };
      await publish(scene, cookie, chain(path, [webhook(path), insert]));
      const answer = await whenThere(() => post(scene, `/webhook/${path}`, { city: "Ulm" }));
      assert.equal(answer.status, 200, await answer.text());
      const rows = await dataOf<{ data: { city: string }[] }>(await visit(scene, `${tables}/${table.id}/rows`, { headers: { cookie } }));
      assert.deepEqual(
        rows.data.map(({ city }) => city),
        ["Ulm"],
      );
    },
  },
  {
    promise:
      "workflows read the owner's environment variables, in expressions and in code, but none of the workspace's keys, and n8n follows the settings among them",
    keep: async (scene) => {
      const path = `variables-${randomUUID()}`;
      const set = {
        name: "Set",
        type: "n8n-nodes-base.set",
        typeVersion: 3.4,
        parameters: {
          assignments: {
            assignments: [
              { id: "a", name: "expression", type: "string", value: "={{ $env.GREETING }}" },
              {
                id: "b",
                name: "keys",
                type: "string",
                value: "={{ ['N8N_ENCRYPTION_KEY', 'SLIPWAY_LOGIN_KEY'].filter((name) => $env[name]).length }}",
              },
              { id: "c", name: "setting", type: "string", value: "={{ $env.N8N_WORKFLOW_TAGS_DISABLED }}" },
              {
                id: "d",
                name: "refused",
                type: "string",
                value: "={{ [$env.N8N_PORT === '1', $env.NODE_OPTIONS, $env.N8N_LOG_LEVEL].filter(Boolean).length }}",
              },
            ],
          },
          options: {},
        },
      };
      const cookie = await ownerCookie(scene);
      await publish(
        scene,
        cookie,
        chain(path, [webhook(path), set, code("return [{ json: { ...$input.first().json, code: $env.GREETING } }];")]),
      );
      const answer = await (await whenThere(() => post(scene, `/webhook/${path}`, {}))).json();
      const greeting = suiteVariables.variables[0]!.value;
      assert.deepEqual(answer, { expression: greeting, keys: "0", setting: "true", refused: "0", code: greeting });
      const settings = await dataOf<{ workflowTagsDisabled: boolean }>(await visit(scene, "/rest/settings", { headers: { cookie } }));
      assert.equal(settings.workflowTagsDisabled, true);
    },
  },
  {
    promise:
      "variables changed while it runs reach expressions and code, removed ones are gone, without any $env is closed, and no name of the service can be set or removed",
    keep: async (scene) => {
      const path = `changed-variables-${randomUUID()}`;
      const read = `(() => { try { return [$env.GREETING, $env.ADDED, $env.HOME !== "/stolen" && $env.SLIPWAY_LOGIN_KEY === undefined]; } catch (error) { return error.message; } })()`;
      const set = {
        name: "Set",
        type: "n8n-nodes-base.set",
        typeVersion: 3.4,
        parameters: {
          assignments: { assignments: [{ id: "a", name: "expression", type: "string", value: `={{ JSON.stringify(${read}) }}` }] },
          options: {},
        },
      };
      const cookie = await ownerCookie(scene);
      const readInCode = `return [{ json: { ...$input.first().json, code: JSON.stringify(${read}) } }];`;
      await publish(scene, cookie, chain(path, [webhook(path), set, code(readInCode)]));
      const seen = async () => {
        const { expression, code: coded } = (await (await whenThere(() => post(scene, `/webhook/${path}`, {}))).json()) as Record<
          string,
          string
        >;
        assert.equal(coded, expression);
        return JSON.parse(expression!) as unknown;
      };
      const change = (...variables: [name: string, value: string][]) =>
        scene.engine.setVariables!(scene.address(), {
          id: scene.workspaceId,
          secrets: withVariables(scene.secrets, {
            revision: 2,
            variables: variables.map(([name, value]) => ({ name, value, isSecret: false })),
          }),
        });
      const greeting = suiteVariables.variables[0]!.value;
      assert.deepEqual(await seen(), [greeting, null, true]);
      assert.equal(await change(["GREETING", "Hi"], ["ADDED", "1"], ["HOME", "/stolen"], ["SLIPWAY_LOGIN_KEY", "x"]), true);
      assert.deepEqual(await seen(), ["Hi", "1", true]);
      // The control plane sends no such names; the workspace would not take them either.
      const sent = await tellVariables(scene, { ADDED: "2", HOME: "/stolen", SLIPWAY_LOGIN_KEY: "x" });
      assert.equal(sent.status, 200);
      assert.deepEqual(await seen(), [null, "2", true]);
      assert.equal((await tellVariables(scene, { ADDED: 1 })).status, 422);
      assert.equal(await change(), true);
      assert.equal(await seen(), "access to env vars denied");
      assert.equal(await scene.engine.setVariables!(scene.address(), { id: scene.workspaceId, secrets: scene.secrets }), true);
      assert.deepEqual(await seen(), [greeting, null, true]);
    },
  },
  {
    promise: "a request to a private address is refused, and the execution says why",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const path = `private-${randomUUID()}`;
      const request = {
        name: "Request",
        type: "n8n-nodes-base.httpRequest",
        typeVersion: 4.2,
        parameters: { url: "={{ $json.body.url }}", options: { timeout: 5_000 } },
      };
      const id = await publish(scene, cookie, chain(path, [webhook(path), request]));
      const seen = new Set<string>();
      for (const url of [
        `http://${scene.address()}/`,
        "http://localhost/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
      ]) {
        assert.equal((await whenThere(() => post(scene, `/webhook/${path}`, { url }))).status, 500, url);
        const failed = await executionWhere(scene, cookie, id, (execution) => execution.status === "error" && !seen.has(execution.id));
        seen.add(failed.id);
        assert.match(
          await (await visit(scene, `/rest/executions/${failed.id}`, { headers: { cookie } })).text(),
          /blocked because it resolves to a restricted IP address/,
          url,
        );
      }
    },
  },
  {
    promise: "a schedule runs without being called",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const trigger = {
        name: "Schedule",
        type: "n8n-nodes-base.scheduleTrigger",
        typeVersion: 1.2,
        parameters: { rule: { interval: [{ field: "seconds", secondsInterval: 1 }] } },
      };
      const id = await publish(scene, cookie, chain(`schedule-${randomUUID()}`, [trigger, code("return [{ json: {} }];")]));
      await executionWhere(scene, cookie, id, ({ status, mode }) => status === "success" && mode === "trigger");
      await dataOf(await post(scene, `/rest/workflows/${id}/deactivate`, {}, { cookie }));
    },
  },
];

/** What a request may hold: only named fields, only UTF-8, only moments that can be stored. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { createMovableClock } from "#platform/clock.ts";
import { unknownFields } from "#platform/http/strict-shapes.ts";
import { newId } from "#platform/ids.ts";
import { createSandboxApi, registerOnTrial, type SandboxApi } from "#testing/payments/sandbox-api.ts";
import { createTestClock } from "#testing/test-clock.ts";

let api: SandboxApi;
let token: string;
beforeAll(async () => {
  const clock = createTestClock();
  api = await createSandboxApi({ clock, timeTravel: { clock: createMovableClock(clock), dueWork: [], wake: () => undefined } });
  token = await registerOnTrial(api);
});
afterAll(() => api?.[Symbol.asyncDispose]());

const all: [string, RouteContract][] = Object.entries(routes);
const urlOf = ({ path }: RouteContract) => `/api${path.replace(/:\w+/g, newId())}`;
/** Path parameters fit as well, or they would be refused first. */
const fitting: Readonly<Record<string, string>> = {
  "/v1/paddle/plan/:id/generatePayLink": "/api/v1/paddle/plan/pro-1-monthly/generatePayLink",
};
const misspelt = { path: "aMisspeltField", code: "value.unknown", message: expect.stringContaining("Check its spelling") };

const reading = new Set(["GET", "HEAD"]);
test.each(all.filter(([, { method }]) => !reading.has(method)))(
  "%s refuses a field of its body that it does not know",
  async (_name, route) => {
    const answer = await api.call(route.method, fitting[route.path] ?? urlOf(route), { token, body: { aMisspeltField: 99 } });
    expect(answer.json()).toMatchObject({ status: 422, code: "validation_failed" });
    expect(answer.json().errors).toContainEqual(misspelt);
  },
);

test.each(all.filter(([, { query }]) => query))("%s refuses an item of its query that it does not know", async (_name, route) => {
  const answer = await api.call(route.method, `${urlOf(route)}?aMisspeltField=99`, { token });
  expect(answer.json().errors).toContainEqual(misspelt);
});

test("a misspelt guard deletes nothing, and the workspace is sent back as it was read", async () => {
  const me = (await api.call("GET", "/api/auth/me", { token })).json().user;
  const body = { accountName: me.username, Life: 99 };
  const refused = await api.call("POST", "/api/instance/delete", { token, body });
  expect(refused.json()).toMatchObject({ status: 422, errors: [{ path: "Life", code: "value.unknown" }] });
  const { status, ...instance } = (await api.call("GET", "/api/instance", { token })).json();
  expect([status, instance.isBeingDeleted]).toEqual([expect.any(Number), false]);
  expect((await api.call("PUT", "/api/instance/configuration", { token, body: instance })).statusCode).toBe(202);
});

const nested = z.object({
  list: z.array(z.object({ a: z.string() })).optional(),
  free: z.record(z.string(), z.unknown()).nullish(),
  choice: z.union([z.object({ kind: z.literal(1) }), z.object({ kind: z.literal(2), more: z.string() })]).optional(),
  piped: z
    .object({ a: z.string().optional() })
    .default({})
    .pipe(z.object({ a: z.string().optional() }))
    .optional(),
});
test.each([
  [{ list: [{ a: "1" }, { a: "1", b: 2 }] }, ["list.1.b"]],
  [{ free: { anything: { at: "all" } } }, []],
  [{ choice: { kind: 2, more: "" } }, []],
  [{ choice: { kind: 1, more: "" } }, ["choice.more"]],
  [{ choice: { kind: 3, moar: "" } }, ["choice.moar"]],
  [{ piped: { b: 1 }, Piped: {} }, ["piped.b", "Piped"]],
  [null, []],
  ["text", []],
])("of %j the unknown fields are %j", (value, paths) => {
  expect(unknownFields(nested, value).map((path) => path.join("."))).toEqual(paths);
});

describe("a body", () => {
  const save = (payload: Buffer, headers: Record<string, string>) =>
    api.app.inject({
      method: "PATCH",
      url: "/api/account/profile",
      payload,
      headers: { host: "localhost:3000", origin: "http://localhost:3000", cookie: `token=${token}`, ...headers },
    });
  const json = { "content-type": "application/json" };
  const name = async () => (await api.call("GET", "/api/auth/me", { token })).json().user.fullName as string;

  test.each([
    ["a byte of Latin-1", Buffer.from('{"fullName":"Jos\u00e9"}', "latin1"), json, 400, "bad_request"],
    ["half a character", Buffer.from('{"fullName":"\u20ac"}').subarray(0, 15), json, 400, "bad_request"],
    ["an overlong form", Buffer.from([...Buffer.from('{"fullName":"'), 0xc0, 0xaf, ...Buffer.from('"}')]), json, 400, "bad_request"],
    ["UTF-16", Buffer.from('\ufeff{"fullName":"Ada"}', "utf16le"), json, 400, "bad_request"],
    [
      "a charset",
      Buffer.from('{"fullName":"Ada"}'),
      { "content-type": "application/json; charset=iso-8859-1" },
      415,
      "unsupported_media_type",
    ],
    ["a quoted charset", Buffer.from("{}"), { "content-type": 'application/json;charset="utf-16"' }, 415, "unsupported_media_type"],
    ["an encoding", Buffer.from("{}"), { ...json, "content-encoding": "gzip" }, 415, "unsupported_media_type"],
  ])("in %s is refused, and nothing is stored", async (_what, payload, headers, status, code) => {
    const before = await name();
    expect((await save(payload, headers)).json()).toMatchObject({ status, code });
    expect(await name()).toBe(before);
  });

  test.each(["application/json", "application/json; charset=utf-8", 'application/json; charset="UTF-8"'])("as %s is read", async (type) => {
    expect((await save(Buffer.from('{"fullName":"José Ωμέγα 王"}'), { "content-type": type })).statusCode).toBe(200);
    expect(await name()).toBe("José Ωμέγα 王");
  });
});

test.each(["0000-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", "2026-02-30T00:00:00Z"])(
  "the moment %s is refused",
  async (before) => {
    const answer = await api.call("GET", `/api/instance/versions/history?before=${encodeURIComponent(before)}`, { token });
    expect(answer.json()).toMatchObject({ status: 422, errors: [{ path: "before", code: "value.invalid" }] });
  },
);

test("the last moment of year 9999 can be asked about", async () => {
  expect((await api.call("GET", "/api/instance/versions/history?before=9999-12-31T23:59:59.999Z", { token })).statusCode).toBe(200);
});

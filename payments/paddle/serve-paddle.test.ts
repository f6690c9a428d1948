import Fastify from "fastify";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { paddleWords, servePaddle } from "./serve-paddle.ts";

async function open(search: string, withPaddle = true, headers: Record<string, string> = {}) {
  const app = Fastify();
  await app.register(servePaddle, {
    clientToken: "test_token",
    environment: "sandbox" as const,
    publicUrl: "http://localhost:3000",
    mayBePaid: (id) => Promise.resolve(id !== "txn_replaced"),
  });
  const replaced = await app.inject({ url: "/paddle/checkout?_ptxn=txn_replaced", headers });
  const page = await app.inject({ url: "/paddle/checkout", headers });
  const code = (await app.inject("/paddle/checkout.js")).body;
  await app.close();
  const elements: Record<string, { textContent: string; href: string; dataset?: object }> = {
    state: { textContent: "", href: "", dataset: { failed: /data-failed="([^"]*)"/.exec(page.body)?.[1] } },
    back: { textContent: "", href: "" },
  };
  const location = { search, origin: "http://localhost:3000", href: "" };
  let callback: (event: { name: string }) => void = () => undefined;
  let settings: { token?: string; checkout?: { settings: { successUrl: string } } } = {};
  const Paddle = {
    Environment: { set: () => undefined },
    Initialize: (options: typeof settings & { eventCallback: typeof callback }) => (
      (settings = options),
      (callback = options.eventCallback)
    ),
  };
  runInNewContext(code, {
    URLSearchParams,
    URL,
    location,
    document: { getElementById: (id: string) => elements[id] },
    ...(withPaddle && { Paddle }),
  });
  return { page, replaced, elements, location, settings: () => settings, tell: (name: string) => callback({ name }) };
}

test("the page opens the checkout of the transaction in its address, then continues where the panel said", async () => {
  const opened = await open(
    "?success=http%3A%2F%2Flocalhost%3A3000%2Faccount%2Fchange-plan%2Fdone&cancel=%2Faccount%2Fchange-plan&_ptxn=txn_1",
  );
  expect(opened.page.headers["content-security-policy"]).toContain("https://cdn.paddle.com");
  expect(opened.settings()).toMatchObject({
    token: "test_token",
    checkout: { settings: { successUrl: "http://localhost:3000/account/change-plan/done" } },
  });
  opened.tell("checkout.closed");
  expect(opened.location.href).toBe("http://localhost:3000/account/change-plan");
  opened.tell("checkout.completed");
  opened.tell("checkout.closed");
  expect(opened.location.href).toBe("http://localhost:3000/account/change-plan/done");
});

test("a replaced checkout is not shown any more", async () => {
  const { page, replaced } = await open("?_ptxn=txn_1");
  expect(page.statusCode).toBe(200);
  expect(replaced.statusCode).toBe(410);
  expect(replaced.body).toContain("Nothing will be charged here");
  expect(replaced.body).not.toContain("<script");
});

test("an address outside the panel is not followed", async () => {
  for (const evil of ["https://evil.example/", "//evil.example", "javascript:alert(1)", "http://localhost:3000.evil.example/"]) {
    const opened = await open(`?success=${encodeURIComponent(evil)}&cancel=${encodeURIComponent(evil)}&_ptxn=txn_1`);
    opened.tell("checkout.closed");
    expect(opened.location.href).toBe("http://localhost:3000/account/change-plan");
    expect(opened.settings().checkout?.settings.successUrl).toBe("http://localhost:3000/manage/billing");
  }
});

test("without Paddle's script or a transaction, the page says that nothing was charged", async () => {
  for (const opened of [await open("?_ptxn=txn_1", false), await open("")])
    expect(opened.elements["state"]!.textContent).toContain("Nothing was charged");
});

test("a customer whose panel is German reads German, also when nothing could be loaded", async () => {
  const { page, replaced, elements } = await open("", true, { cookie: "language=de" });
  const { over, failed, ...shown } = paddleWords.de;
  expect(page.body).toContain('<html lang="de">');
  for (const text of [shown.title, shown.opening, shown.toPlans]) expect(page.body).toContain(`>${text}<`);
  for (const text of [shown.title, over, shown.toBilling]) expect(replaced.body).toContain(`>${text}<`);
  expect(elements["state"]!.textContent).toBe(failed);
  for (const text of Object.values(paddleWords.en)) expect(page.body + replaced.body).not.toContain(text);
});

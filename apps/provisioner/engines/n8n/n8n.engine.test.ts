/** Tests that n8n meets the requirements for every engine, and those of its own editor. */
import { generateKeyPairSync } from "node:crypto";
import { describeEngine } from "#testing/engines/describe-engine.ts";
import { promisesOf } from "#testing/engines/engine-suite.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";
import { hookSuite } from "#testing/engines/n8n/hook-suite.ts";
import { n8nHands } from "#testing/engines/n8n/n8n-hands.ts";
import { workSuite } from "#testing/engines/n8n/work-suite.ts";

const signingKey = generateKeyPairSync("ed25519").privateKey;
const engine = createTestN8n({ signingKey });

describeEngine(engine, signingKey, {
  "the suite of all engines": promisesOf(n8nHands),
  "the suite of its hook and of daily work": [...hookSuite, ...workSuite],
});

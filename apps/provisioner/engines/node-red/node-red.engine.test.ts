/** Tests that Node-RED meets the requirements for every engine. */
import { generateKeyPairSync } from "node:crypto";
import { systemClock } from "#platform/clock.ts";
import { describeEngine } from "#testing/engines/describe-engine.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { promisesOf } from "#testing/engines/engine-suite.ts";
import { createNodeRedEngine } from "./create-node-red-engine.ts";
import { nodeRedHands } from "#testing/engines/node-red/node-red-hands.ts";
import { nodeRedWorkSuite } from "#testing/engines/node-red/work-suite.ts";

const signingKey = generateKeyPairSync("ed25519").privateKey;
const engine = createNodeRedEngine({ enginesDir: enginesCacheDir, nodeBinary: process.execPath, signingKey, clock: systemClock });

describeEngine(engine, signingKey, { "the suite of all engines": promisesOf(nodeRedHands), "the suite of daily work": nodeRedWorkSuite });

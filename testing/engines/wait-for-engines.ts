/** Set-up of each test file that uses a real engine: the engines are there before its tests begin, not within their time. */
import { prepareEngines } from "./prepare-engines.ts";

await prepareEngines();

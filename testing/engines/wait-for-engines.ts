/** Set-up of each test file with a real engine: the engines are installed before its tests begin, outside their time limits. */
import { prepareEngines } from "./prepare-engines.ts";

await prepareEngines();

import { inGerman } from "#contract/sentences/in-german.ts";

export default { sentences: inGerman };

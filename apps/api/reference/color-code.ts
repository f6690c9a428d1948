/** Examples in colour: made once on the server, so that readers fetch no library and the page runs no further script. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import typescript from "highlight.js/lib/languages/typescript";

hljs.registerLanguage("bash", bash);
hljs.registerLanguage("typescript", typescript);
// The classes of reference-style.ts.
hljs.configure({ classPrefix: "c-" });

/** HTML of a program's text, escaped, its strings, words and numbers marked. */
export const colorCode = (text: string, language: "bash" | "typescript"): string => hljs.highlight(text, { language }).value;

import { expect, test } from "vitest";
import { readEnvText } from "./read-env-text.ts";

const read = (text: string) => readEnvText(text, []).map(({ name, value }) => [name, value]);

test.each([
  [
    "A=1\nB=2",
    [
      ["A", "1"],
      ["B", "2"],
    ],
  ],
  [
    "export A=1\n  export   b = 2  \n",
    [
      ["A", "1"],
      ["B", "2"],
    ],
  ],
  [
    "# a comment\n\nA=1 # one\r\nB=a#b\n   # another",
    [
      ["A", "1"],
      ["B", "a#b"],
    ],
  ],
  [
    'A="x = # y" # z\nB=\'it is "so" \\n\'',
    [
      ["A", "x = # y"],
      ["B", 'it is "so" \\n'],
    ],
  ],
  [
    'A="say \\"hi\\""\nB="C:\\\\dir"\nC=',
    [
      ["A", 'say "hi"'],
      ["B", "C:\\dir"],
      ["C", ""],
    ],
  ],
  [
    'URL=https://a.example/?x=1&y="2"\nB=it\'s',
    [
      ["URL", 'https://a.example/?x=1&y="2"'],
      ["B", "it's"],
    ],
  ],
  [
    'A="open\nB=2',
    [
      ["A", '"open'],
      ["B", "2"],
    ],
  ],
  [
    "A=1\nnot a variable\n=3",
    [
      ["A", "1"],
      ["", "not a variable"],
      ["", "=3"],
    ],
  ],
  ["", []],
])("%j is read", (text, variables) => expect(read(text)).toEqual(variables));

test("a name or value that is not allowed is named with its reason, and kept", () => {
  const settings = ["N8N_LOG_LEVEL"];
  const text = 'N8N_PORT=1\nN8N_LOG_LEVEL=debug\n1A=1\nKEY="two\nlines"\nKEY=2\nLONG=' + "x".repeat(4097);
  expect(readEnvText(text, settings).map(({ name, problems }) => [name, problems])).toEqual([
    ["N8N_PORT", { name: "variable.reserved" }],
    ["N8N_LOG_LEVEL", {}],
    ["1A", { name: "variable.name" }],
    ["KEY", { value: "variable.value" }],
    ["KEY", { name: "variable.twice" }],
    ["LONG", { value: "variable.value_length" }],
  ]);
});

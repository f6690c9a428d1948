import { expect, test } from "vitest";
import { isEnvText } from "./env-text.ts";
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

const base64Of = (length: number) => "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".repeat(4).slice(0, length);

test.each([
  // Without quotes, a key runs to its last line.
  [
    "A=1\nKEY=-----BEGIN PRIVATE KEY-----\nabc=\nQQ==\n-----END PRIVATE KEY-----\nB=2",
    [
      ["A", "1"],
      ["KEY", "-----BEGIN PRIVATE KEY-----\nabc=\nQQ==\n-----END PRIVATE KEY-----"],
      ["B", "2"],
    ],
  ],
  ["KEY=-----BEGIN PRIVATE KEY-----\nabc=\nB=2", [["KEY", "-----BEGIN PRIVATE KEY-----\nabc=\nB=2"]]],
  [
    "KEY=-----BEGIN X-----\\nabc=\\n-----END X-----\nB=2",
    [
      ["KEY", "-----BEGIN X-----\\nabc=\\n-----END X-----"],
      ["B", "2"],
    ],
  ],
  [
    "KEY=\n-----BEGIN X-----\nabc=\n-----END X-----\nB=2",
    [
      ["KEY", ""],
      ["", "-----BEGIN X-----\nabc=\n-----END X-----"],
      ["B", "2"],
    ],
  ],
  // The last line of base64 looks like a name with an empty value.
  [
    `KEY=${base64Of(64)}\n${base64Of(64)}\nABC=\nB=2`,
    [
      ["KEY", base64Of(64)],
      ["", base64Of(64)],
      ["", "ABC="],
      ["B", "2"],
    ],
  ],
  [
    `KEY=${base64Of(76)}\nABC=`,
    [
      ["KEY", base64Of(76)],
      ["", "ABC="],
    ],
  ],
  [
    "A=1\nQUJDRA==\nb3Blbg/=\nb3BlbgA=",
    [
      ["A", "1"],
      ["", "QUJDRA=="],
      ["", "b3Blbg/="],
      ["", "b3BlbgA="],
    ],
  ],
  [
    "KEY=\nkey=\nexport LONGNAME=\nA=QQ==",
    [
      ["KEY", ""],
      ["KEY", ""],
      ["LONGNAME", ""],
      ["A", "QQ=="],
    ],
  ],
  // Neither JSON nor an address becomes a name.
  [
    'A=1\n{"key":"abc="}\nhttps://a.example/?secret=1',
    [
      ["A", "1"],
      ["", '{"key":"abc="}'],
      ["", "https://a.example/?secret=1"],
    ],
  ],
])("no part of a key becomes a name: %j", (text, variables) => expect(read(text)).toEqual(variables));

test.each([
  ["spaces in a value", `A=x${" ".repeat(100_000)}x`],
  ["variables", "A=1\n".repeat(25_000)],
  ["lines that set nothing", "x\n".repeat(50_000)],
  ["open quotes", "A='\n".repeat(5) + 'A="x\\"\n'.repeat(14_000)],
  ["keys that do not end", "-----BEGIN\n".repeat(9_000)],
  ["blank lines", "\n".repeat(100_000)],
  ["spaces before a name", `export${" ".repeat(100_000)}A=1`],
  ["number signs", `A=${"#".repeat(50_000)} ${"#".repeat(50_000)}`],
])("100,000 characters of %s are read without keeping the page waiting", (_, text) => {
  const before = process.cpuUsage();
  read(text);
  isEnvText(text, false);
  isEnvText(`A=1\n${text}`, false);
  // The slowest took minutes, and takes a fifth of a second.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
});

test("several lines that begin with a variable are read as a file, and one line only where a name is expected", () => {
  expect(
    ["A=1\nB=2", "# first\n\nexport a=1\r\nB", "A=1\n\n", "A=1", "QQ==\n", "key\nA=1", ""].map((text) => isEnvText(text, false)),
  ).toEqual([true, true, false, false, false, false, false]);
  expect(["A=1", 'export A="1"\n', "# one\nA = 1", "A", "a b=1", "https://a/?b=1"].map((text) => isEnvText(text, true))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

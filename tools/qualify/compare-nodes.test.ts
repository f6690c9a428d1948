import { expect, test } from "vitest";
import { compareNodes } from "./compare-nodes.ts";

const node = (name: string, displayName: string, version = 1) => ({ name, displayName, version });

test("nodes that came, went and have a new version are named once each, in alphabetical order", () => {
  const before = [node("base.line", "Line"), node("base.chat", "Chat Trigger", 1.4), node("base.slack", "Slack", 2)];
  const after = [
    node("base.slack", "Slack", 2),
    node("base.dataverse", "Microsoft Dataverse"),
    node("base.confluence", "Confluence"),
    node("base.confluenceTool", "Confluence"),
    node("base.chat", "Chat Trigger", 1.5),
  ];
  expect(compareNodes(before, after)).toEqual({
    newNodes: ["Confluence", "Microsoft Dataverse"],
    changedNodes: ["Chat Trigger"],
    removedNodes: ["Line"],
  });
});

test("a node under another name is neither new nor removed, and the same list has no changes", () => {
  const before = [node("base.mail", "Send Email")];
  expect(compareNodes(before, [node("base.sendMail", "Send Email")])).toEqual({ newNodes: [], changedNodes: [], removedNodes: [] });
  expect(compareNodes(before, before)).toEqual({ newNodes: [], changedNodes: [], removedNodes: [] });
});

/** Answers calls with the hour of the Unix epoch in the workspace's timezone. */
export const hello = [
  { id: "t1", type: "tab", label: "Hello" },
  { id: "i1", type: "http in", z: "t1", url: "/hello", method: "get", wires: [["f1"]] },
  {
    id: "f1",
    type: "function",
    z: "t1",
    func: "msg.payload = new Date(0).getHours() + ' o’clock'; return msg;",
    outputs: 1,
    wires: [["o1"]],
  },
  { id: "o1", type: "http response", z: "t1", wires: [] },
];

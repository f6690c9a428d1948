/** The same for Node-RED: a form's answer, a check, two ways on. Only nodes that every Node-RED has. */
const tab = "leads";

const node = (id: string, type: string, name: string, [x, y]: [number, number], wires: string[][], settings: object = {}) => ({
  id,
  type,
  z: tab,
  name,
  x,
  y,
  wires,
  ...settings,
});

export const leadsFlow = [
  { id: tab, type: "tab", label: "Qualify new leads" },
  node("in", "http in", "New lead", [160, 160], [["company"]], { url: "/lead", method: "post" }),
  node("company", "http request", "Look up company", [360, 160], [["judge"]], {
    method: "GET",
    ret: "obj",
    url: "https://crm.example.com/",
  }),
  node("judge", "switch", "Worth a call?", [570, 160], [["deal"], ["letter"]], {
    property: "payload.employees",
    propertyType: "msg",
    rules: [{ t: "gte", v: "50", vt: "num" }, { t: "else" }],
    checkall: "false",
    outputs: 2,
  }),
  node("deal", "template", "Describe the deal", [780, 100], [["crm", "done"]], { field: "payload", template: "" }),
  node("crm", "http request", "Create deal", [980, 60], [[]], { method: "POST", ret: "obj", url: "https://crm.example.com/deals" }),
  node("letter", "function", "Write thanks", [780, 220], [["done"]], { func: "return msg;", outputs: 1 }),
  node("done", "http response", "Answer", [970, 160], [], { statusCode: "200" }),
  node("nightly", "inject", "Every night", [170, 320], [["open"]], { repeat: "", crontab: "0 2 * * *", props: [] }),
  node("open", "http request", "Open deals", [360, 320], [["report"]], { method: "GET", ret: "obj", url: "https://crm.example.com/open" }),
  node("report", "function", "Sum up the day", [570, 320], [["file"]], { func: "return msg;", outputs: 1 }),
  node("file", "file", "Keep the report", [780, 320], [[]], { filename: "report.txt", filenameType: "str" }),
];

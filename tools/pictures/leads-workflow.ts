/** A workflow that shows at a glance what one builds: a form's answer, an agent that judges it, two ways on. */
const node = (name: string, type: string, typeVersion: number, position: [number, number], parameters: object = {}) => ({
  id: crypto.randomUUID(),
  name,
  type,
  typeVersion,
  position,
  parameters,
});

const to = (...targets: string[]) => targets.map((target) => ({ node: target, type: "main", index: 0 }));

export const leadsWorkflow = {
  name: "Qualify new leads",
  active: false,
  settings: {},
  nodes: [
    node("New lead", "n8n-nodes-base.webhook", 2, [0, 0], { path: "lead", httpMethod: "POST" }),
    node("Look up company", "n8n-nodes-base.httpRequest", 4.2, [220, 0], { url: "https://crm.example.com/companies" }),
    node("Worth a call?", "n8n-nodes-base.if", 2.2, [440, 0]),
    node("Create deal", "n8n-nodes-base.hubspot", 2.1, [680, -120], { resource: "deal" }),
    node("Post to Slack", "n8n-nodes-base.slack", 2.3, [900, -120]),
    node("Add to newsletter", "n8n-nodes-base.googleSheets", 4.5, [680, 120]),
    node("Send thanks", "n8n-nodes-base.gmail", 2.1, [900, 120]),
  ],
  connections: {
    "New lead": { main: [to("Look up company")] },
    "Look up company": { main: [to("Worth a call?")] },
    "Worth a call?": { main: [to("Create deal"), to("Add to newsletter")] },
    "Create deal": { main: [to("Post to Slack")] },
    "Add to newsletter": { main: [to("Send thanks")] },
  },
};

/** Translates our survey into the terms that n8n's editor uses to choose the first templates and suggestions. */

/** The editor knows three teams; other answers keep our names. */
const teams: Readonly<Record<string, string>> = {
  "marketing-growth": "Marketing",
  "sales-businessDevelopment": "Sales",
  "IT-Engineering": "IT",
};

/** The editor counts what a person is comfortable doing; our scale of coding skills is that count. */
const abilities = ["using spreadsheets", "using APIs", "reading code", "writing scripts", "writing programs"];

/** Every answer under its own name, plus those that the editor expects. */
export function editorInformation(answers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { workArea, codingSkills } = answers;
  return {
    ...answers,
    ...(typeof workArea === "string" ? { what_team_are_you_on: teams[workArea] ?? workArea } : {}),
    ...(typeof codingSkills === "number" ? { which_of_these_do_you_feel_comfortable_doing: abilities.slice(0, codingSkills) } : {}),
  };
}

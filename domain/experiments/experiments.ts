/** Every experiment that runs, and its variants. The first variant is what everybody has without the experiment. */
export interface Experiment {
  variants: readonly [control: string, ...others: string[]];
  /** Share of people in the experiment's other variants together, in percent; they get equal parts of it. */
  percent: number;
}

/** The one experiment there is. */
export const experiments: Readonly<Record<string, Experiment>> = {
  "026_easy_ai_workflow": { variants: ["control", "variant"], percent: 50 },
};

/** The running experiments and their variants. The first variant is the product without the experiment. */
export interface Experiment {
  variants: readonly [control: string, ...others: string[]];
  /** Percentage of people in the other variants, which share it equally. */
  percent: number;
}

export const experiments: Readonly<Record<string, Experiment>> = {
  "026_easy_ai_workflow": { variants: ["control", "variant"], percent: 50 },
};

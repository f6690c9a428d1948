/** The trial's length in days, from the launch: granted by the service, and named in the panel's words. */
export const trialDays = 14;

/** Days of a plan that the service goes by and the panel names in its words. */

/** The trial's length, from the launch. */
export const trialDays = 14;

/** From so many days before its end on, the owner of an arranged plan is told of it, by mail and in the panel. */
export const arrangedNoticeDays = 30;

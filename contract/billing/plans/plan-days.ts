/** Numbers of days that the service uses and the panel mentions in its texts. */

/** The trial's length, from the launch. */
export const trialDays = 14;

/** This many days before an arranged plan ends, its owner is told by email and in the panel. */
export const arrangedNoticeDays = 30;

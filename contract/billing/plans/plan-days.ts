/** Numbers of days that the service uses and the panel mentions in its texts. */

/** The trial's length, from the launch. */
export const trialDays = 14;

/** A workspace is deleted this long after a trial or a cancelled plan has ended: time to reconsider. */
export const deletionAfterEndDays = 7;
/**
 * A workspace runs at most this long while a payment is open. Providers give up earlier, after 7 to 30 days, unless an operator has set them to
 * leave a debt open.
 */
export const mostPastDueDays = 35;
/** A workspace is deleted this long after its last failed payment, or after an arranged plan has ended. */
export const deletionAfterPauseDays = 30;
/** How long the last backup of a deleted workspace is kept, for its owner to download or restore. */
export const lastBackupDays = 30;
/** Days for which a closed account can be reopened, unless the operator sets others. */
export const closedAccountDays = 30;

/** This many days before an arranged plan ends, its owner is told by email and in the panel. */
export const arrangedNoticeDays = 30;

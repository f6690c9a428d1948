/** What every workspace may have at most on its host, whatever its plan, its engine and its driver. */

/**
 * Processes and threads of its user; n8n, the larger engine, uses about 40. Lower than `mostTasks`: the kernel checks this one before it
 * copies a process and that one after, so a fork bomb at the group's limit would copy and discard processes all the time.
 */
export const mostUserProcesses = 480;
/** Processes and threads of its control group or container: few enough that neighbours hardly notice when all are busy. */
export const mostTasks = mostUserProcesses + 32;
/** Files that one of its processes may have open; n8n uses about 60, and a host's default can be a million. */
export const mostOpenFiles = 16_384;

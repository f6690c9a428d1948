/** The key and names needed to open the releases' dumps, which contain only made-up people. */

/** The SECRET_KEY of every dump. */
export const releasedKey = "a key for tests, long enough to be one";

/** The owner of the dumps' workspace. */
export const releasedOwner = { accountName: "ada", password: "correct horse battery" };

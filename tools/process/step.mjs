/** Runs one step of the set-up and prints a line for it, with the seconds it took. */
export async function step(label, work) {
  const startedAt = performance.now();
  process.stdout.write(`${label} …`);
  try {
    const result = await work();
    process.stdout.write(` ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stdout.write(" failed\n");
    throw error;
  }
}

// Blocks the first paint on purpose: a theme chosen before must be there with the first pixel.
// The key is the one of src/lib/theme.ts.
try {
  var chosen = localStorage.getItem("slipway.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's setting decides; src/lib/theme.ts logs the warning.
}

/*
 * Passed to Node as `--require` by the npm commands, before their modules are read: Node 12 and older ones fail at their syntax. So this is
 * written in that of 2009.
 */
/* eslint-disable no-var */
var path = require("path");

/** The oldest Node on which the tools run, as package.json says. */
var oldest = /[\d.]+/.exec(require(path.join(__dirname, "../../package.json")).engines.node)[0];

function isOlder(version, than) {
  var left = version.split(".").map(Number);
  var right = than.split(".").map(Number);
  return left[0] < right[0] || (left[0] === right[0] && left[1] < right[1]);
}

if (isOlder(process.versions.node, oldest)) {
  var need = "\nSlipway needs Node " + oldest + " or later to start; this is " + process.version + ".";
  console.error(need + " Install a newer one and try again.");
  process.exit(1);
}

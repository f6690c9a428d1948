// Decrypts credentials.encrypted.json beside this file and prints what is in it. Needs Node.js 18 or newer and nothing else.
import { createDecipheriv, scryptSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const { salt, N, r, p } = read("scrypt.json");
const { nonce, data } = read("credentials.encrypted.json");

const ask = () =>
  new Promise((resolve) => {
    process.stderr.write("Passphrase: ");
    createInterface({ input: process.stdin }).once("line", (line) => resolve(line));
  });
const passphrase = (process.env.PASSPHRASE ?? (await ask())).normalize("NFC");

const key = scryptSync(passphrase, Buffer.from(salt, "base64"), 32, { N, r, p, maxmem: 256 * 1024 * 1024 });
const sealed = Buffer.from(data, "base64");
const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
decipher.setAuthTag(sealed.subarray(-16));
try {
  process.stdout.write(Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]));
  process.exit(0);
} catch {
  console.error("The passphrase is not the right one, or the file was changed.");
  process.exit(1);
}

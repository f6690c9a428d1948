/** A key and a self-signed certificate, made for each test: Node reads certificates but cannot make them. */
import { generateKeyPairSync, sign } from "node:crypto";
import { dayMs } from "#platform/clock.ts";

/** DER: a tag, the length and the content (X.690). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  // As short as possible, or browsers refuse it.
  const { length: size } = body;
  const length = Buffer.from(size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const time = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));

/** PEM of both; the certificate is for the DNS name, and valid from yesterday to tomorrow by the machine's clock. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
  const commonName = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))));
  const alternativeName = sequence(oid("551d11"), der(0x04, sequence(der(0x82, Buffer.from(name)))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    commonName,
    sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + dayMs))),
    commonName,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(alternativeName)),
  );
  const certificate = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign("sha256", body, privateKey)));
  // If the text fills its last line, an empty line at the end would be invalid PEM.
  const lines = certificate.toString("base64").replace(/.{64}/g, "$&\n").trimEnd();
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

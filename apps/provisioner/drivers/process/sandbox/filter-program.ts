/** Programs for seccomp(2), which the kernel runs at each system call: in the form of bubblewrap's `--seccomp`. */

interface Architecture {
  /**
   * AUDIT_ARCH_* of linux/audit.h. Programs for other architectures that the processor also runs, such as 32-bit ones, use other numbers.
   */
  audit: number;
  column: 0 | 1;
  clone: number;
  ioctl: number;
  socket: number;
  socketpair: number;
}

const architectures: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000_003e, column: 0, clone: 56, ioctl: 16, socket: 41, socketpair: 53 },
  arm64: { audit: 0xc000_00b7, column: 1, clone: 220, ioctl: 29, socket: 198, socketpair: 199 },
};

export const errors = { notPermitted: 1, noSuchCall: 38, noSuchProtocol: 93, noSuchFamily: 97 } as const;

/** Whether there is a filter for this processor architecture, as `process.arch` names it. */
export const knowsCallsOf = (arch: string): boolean => Object.hasOwn(architectures, arch);

/** The numbers that filters need. Throws if the architecture, as `process.arch` names it, is unknown. */
export function callNumbers(arch: string): Architecture {
  const numbers = architectures[arch];
  if (!numbers) throw new Error(`the numbers of system calls of ${arch} are not known`);
  return numbers;
}

/** One instruction of linux/filter.h: code, how many to skip when true and when false, operand. */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, operand: number];

/** In struct seccomp_data of linux/seccomp.h; for arguments, the lower half on the little-endian processors above. */
export const offsets = { number: 0, architecture: 4, argument: (index: number) => 16 + 8 * index } as const;
const codes = { load: 0x20, jump: 0x05, ifEqual: 0x15, ifGreater: 0x25, ifBits: 0x45, answer: 0x06 } as const;
const answers = { allow: 0x7fff_0000, error: 0x0005_0000 } as const;

export const load = (offset: number): Instruction => [codes.load, 0, 0, offset];
export const allow: Instruction = [codes.answer, 0, 0, answers.allow];
export const refuse = (error: number): Instruction => [codes.answer, 0, 0, answers.error + error];

export const ifAbove = (value: number, then: Instruction): Instruction[] => [[codes.ifGreater, 0, 1, value], then];
export const ifAnyBit = (bits: number, then: Instruction): Instruction[] => [[codes.ifBits, 0, 1, bits], then];

/** If the loaded value is one of these, skips the next instruction: at most 254 values, since a jump is one byte. */
const skipOneIf = (values: readonly number[]): Instruction[] =>
  values.map((value, index): Instruction => [codes.ifEqual, values.length - index, 0, value]);

export const ifOneOf = (values: readonly number[], then: readonly Instruction[]): Instruction[] => [
  ...skipOneIf(values),
  [codes.jump, 0, 0, then.length],
  ...then,
];
export const unlessOneOf = (values: readonly number[], then: Instruction): Instruction[] => [...skipOneIf(values), then];

export function assemble(instructions: readonly Instruction[]): Buffer {
  const filter = Buffer.alloc(instructions.length * 8);
  for (const [index, [code, whenTrue, whenFalse, operand]] of instructions.entries()) {
    filter.writeUInt16LE(code, index * 8);
    filter.writeUInt8(whenTrue, index * 8 + 2);
    filter.writeUInt8(whenFalse, index * 8 + 3);
    filter.writeUInt32LE(operand, index * 8 + 4);
  }
  return filter;
}

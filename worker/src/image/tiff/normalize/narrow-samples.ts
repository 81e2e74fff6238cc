import type { ByteOrder } from '../../metadata/ifd.js';

const SAMPLE_FORMAT = { unsigned: 1, float: 3 } as const;

/** Conversion to 32 bits a sample. */
export interface Narrowing {
  readonly bits: number;
  readonly format: number;
  readonly convert: (samples: Buffer, order: ByteOrder) => Buffer;
}

/** Copies a sample, from its position to that of 32 bits. */
type CopySample = (from: DataView, at: number, to: DataView, target: number, isLittle: boolean) => void;

const converterOf =
  (sampleBytes: number, copy: CopySample): Narrowing['convert'] =>
  (samples, order) => {
    const count = Math.floor(samples.length / sampleBytes);
    const result = Buffer.alloc(count * 4);
    const [from, to] = [viewOf(samples), viewOf(result)];
    for (let index = 0; index < count; index++) copy(from, index * sampleBytes, to, index * 4, order === 'little');
    return result;
  };

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);

const NARROW_INTEGERS = converterOf(8, (from, at, to, target, isLittle) =>
  to.setUint32(target, from.getUint32(at + (isLittle ? 4 : 0), isLittle), isLittle),
);
const NARROW_DOUBLES = converterOf(8, (from, at, to, target, isLittle) =>
  to.setFloat32(target, from.getFloat64(at, isLittle), isLittle),
);
const WIDEN_HALVES = converterOf(2, (from, at, to, target, isLittle) =>
  to.setFloat32(target, floatOfHalf(from.getUint16(at, isLittle)), isLittle),
);

/** IEEE 754 binary16. */
function floatOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 0x1f, bits & 0x3ff];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** For integers of 64 bits and floats of 64 and 16; null for others, which libvips or ImageMagick reads. */
export function narrowingOf(bits: number, isFloat: boolean): Narrowing | null {
  if (bits === 64 && !isFloat) return { bits: 32, format: SAMPLE_FORMAT.unsigned, convert: NARROW_INTEGERS };
  if (bits === 64) return { bits: 32, format: SAMPLE_FORMAT.float, convert: NARROW_DOUBLES };
  return bits === 16 && isFloat ? { bits: 32, format: SAMPLE_FORMAT.float, convert: WIDEN_HALVES } : null;
}

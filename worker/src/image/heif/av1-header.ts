/** Sequence header, with a length (AV1, 5.3.2). */
const OBU_SEQUENCE_HEADER = 0x0a;

/**
 * Whether a monochrome still picture has black at 16 and white at 235 of 255.
 * @param obus from 'av1C'
 * @returns false for anything but the reduced header of a monochrome still picture (AV1, 5.5.1 and 5.5.2)
 */
export function isNarrowStill(obus: Buffer): boolean {
  if (obus.length < 3 || obus[0] !== OBU_SEQUENCE_HEADER) return false;
  const read = bitReader(obus.subarray(2));
  const profile = read(3);
  read(1);
  const isReduced = read(1) === 1;
  if (!isReduced) return false;
  read(5);
  const [widthBits, heightBits] = [read(4) + 1, read(4) + 1];
  read(widthBits);
  read(heightBits);
  // Six switches of coding tools.
  read(6);
  const isDeep = read(1) === 1;
  if (profile === 2 && isDeep) read(1);
  const isMonochrome = profile !== 1 && read(1) === 1;
  if (!isMonochrome) return false;
  const hasCodes = read(1) === 1;
  // Primaries, transfer, matrix.
  if (hasCodes) read(24);
  return read(1) === 0;
}

/** Reads bits from the most significant on; beyond the end they are 1. */
function bitReader(bytes: Buffer): (bits: number) => number {
  let at = 0;
  return (bits) => {
    let value = 0;
    for (let bit = 0; bit < bits; bit++, at++) value = value * 2 + (((bytes[at >> 3] ?? 0xff) >> (7 - (at & 7))) & 1);
    return value;
  };
}

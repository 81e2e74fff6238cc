const END = Buffer.from([0xff, 0xd9]);
/** Where writers leave something behind the end, they leave little. */
const TAIL_BYTES = 1_024;
/** Neither ends a segment nor reads as the bits a whole picture is padded with. */
const FILLING = Buffer.alloc(512, 0x55);

/**
 * Two completions of a JPEG without an end marker: the bare marker, and the marker after bits of no meaning. Where both
 * decode to the same picture, nothing but the marker was missing. Null where the marker is there.
 */
export function completionsOf(file: Buffer): readonly [Buffer, Buffer] | null {
  if (file.includes(END, Math.max(0, file.length - TAIL_BYTES))) return null;
  return [Buffer.concat([file, END]), Buffer.concat([file, FILLING, END])];
}

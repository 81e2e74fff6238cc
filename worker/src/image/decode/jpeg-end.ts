const END = Buffer.from([0xff, 0xd9]);
/** Some writers append a few bytes after the end. */
const MAX_TAIL_BYTES = 1_024;
/** Neither a marker nor valid padding bits. */
const MEANINGLESS_BITS = Buffer.alloc(512, 0x55);

/**
 * Two completions of a JPEG without an end marker: the marker alone, and after meaningless bits. If both decode to the
 * same picture, only the marker was missing. Null where the marker is present.
 */
export function completionsOf(file: Buffer): readonly [Buffer, Buffer] | null {
  if (file.includes(END, Math.max(0, file.length - MAX_TAIL_BYTES))) return null;
  return [Buffer.concat([file, END]), Buffer.concat([file, MEANINGLESS_BITS, END])];
}

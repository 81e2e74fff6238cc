/**
 * Writes uncompressed frames with their times, as ffmpeg's raw formats have none.
 * https://www.matroska.org/technical/elements.html
 */

/** Ticks of the stream per second; also the unit of its times in nanoseconds. */
export const NANOSECONDS = 1_000_000_000;

const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex');
const KEY_FRAME = Buffer.from([0x81, 0, 0, 0x80]);

interface StreamFormat {
  readonly width: number;
  readonly height: number;
  /** Seconds; ffmpeg gives the last frame of a result this length. */
  readonly lastFrameDuration: number;
}

/** Start of a stream of planar 4:2:0 frames. */
export function matroskaHeader({ width, height, lastFrameDuration }: StreamFormat): Buffer {
  const head = element('1a45dfa3', unsigned('4287', 4), unsigned('4285', 2), text('4282', 'matroska'));
  const info = element('1549a966', unsigned('2ad7b1', 1), text('4d80', 'clearframe'), text('5741', 'clearframe'));
  const video = element('e0', unsigned('b0', width), unsigned('ba', height), text('2eb524', 'I420'));
  const track = element(
    'ae',
    unsigned('d7', 1),
    unsigned('73c5', 1),
    unsigned('83', 1),
    unsigned('23e383', Math.round(NANOSECONDS * lastFrameDuration)),
    text('86', 'V_UNCOMPRESSED'),
    video,
  );
  return Buffer.concat([head, id('18538067'), UNKNOWN_SIZE, info, element('1654ae6b', track)]);
}

/** Bytes before a frame of `size` bytes that is shown at `nanoseconds`. */
export function matroskaFrameHeader(nanoseconds: number, size: number): Buffer {
  const block = Buffer.concat([id('a3'), length(KEY_FRAME.length + size), KEY_FRAME]);
  const time = unsigned('e7', Math.max(0, Math.round(nanoseconds)));
  return Buffer.concat([id('1f43b675'), length(time.length + block.length + size), time, block]);
}

const id = (hex: string): Buffer => Buffer.from(hex, 'hex');

const element = (hex: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([id(hex), length(content.length), content]);
};

const text = (hex: string, value: string): Buffer => element(hex, Buffer.from(value));

function unsigned(hex: string, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return element(hex, bytes);
}

/** In eight bytes, the first of which marks their number. */
function length(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value) | (1n << 56n));
  return bytes;
}

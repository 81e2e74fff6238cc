import sharp, { type Sharp } from 'sharp';
import { bytesEntry, type IfdEntry, longEntry, shortEntry, shortsEntry, UNDEFINED, writeIfd } from './ifd.js';
import { LIBVIPS_TIMEOUT_SECONDS, READING } from './libvips.js';
import { interleave, type Samples } from './picture.js';

const INKS = 4;

interface CmykOptions {
  /** Photoshop's: all bits set is no ink. */
  readonly isInverted: boolean;
  /** The fifth channel is transparency. Without it, channels after the fourth are dropped. */
  readonly hasAlpha: boolean;
  readonly icc: Buffer | null;
}

/**
 * CMYK with or without further channels, which libvips would take for transparency of 8 bits.
 * @param source upright or with its orientation
 */
export async function openCmyk(source: Sharp, isDeep: boolean, options: CmykOptions): Promise<Sharp> {
  const { data, info } = await source
    .autoOrient()
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const samples: Samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const inks = sharp(writeTiff(width, height, inksOf(samples, channels, options.isInverted), options.icc), READING);
  if (!options.hasAlpha || channels <= INKS) return inks;
  const converted = await inks
    .toColourspace(isDeep ? 'rgb16' : 'srgb')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer();
  const rgb: Samples = isDeep
    ? new Uint16Array(converted.buffer, converted.byteOffset, converted.length / 2)
    : converted;
  const alpha = isDeep ? new Uint16Array(width * height) : new Uint8Array(width * height);
  for (let pixel = 0; pixel < alpha.length; pixel++) alpha[pixel] = samples[pixel * channels + INKS] ?? 0;
  return sharp(interleave({ rgb, alpha }).samples, { raw: { width, height, channels: 4 } });
}

function inksOf(samples: Samples, channels: number, isInverted: boolean): Samples {
  const count = (samples.length / channels) * INKS;
  const isDeep = samples instanceof Uint16Array;
  const none = isDeep ? 0xffff : 0xff;
  const inks = isDeep ? new Uint16Array(count) : new Uint8Array(count);
  for (let from = 0, to = 0; to < count; from += channels) {
    for (let channel = 0; channel < INKS; channel++) {
      const value = samples[from + channel] ?? 0;
      inks[to++] = isInverted ? none - value : value;
    }
  }
  return inks;
}

/** Uncompressed: libvips takes raw samples for RGB. */
function writeTiff(width: number, height: number, inks: Samples, icc: Buffer | null): Buffer {
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  const ink = Buffer.from(inks.buffer, inks.byteOffset, inks.byteLength);
  const entries: IfdEntry[] = [
    longEntry(256, width),
    longEntry(257, height),
    shortsEntry(258, new Array<number>(INKS).fill(inks instanceof Uint16Array ? 16 : 8)),
    shortEntry(259, 1),
    shortEntry(262, 5),
    longEntry(273, header.length),
    shortEntry(277, INKS),
    longEntry(278, height),
    longEntry(279, ink.length),
    shortEntry(284, 1),
  ];
  if (icc) entries.push(bytesEntry(34_675, UNDEFINED, icc));
  const firstIfd = header.length + ink.length;
  header.writeUInt32LE(firstIfd, 4);
  return Buffer.concat([header, ink, writeIfd(entries, firstIfd)]);
}

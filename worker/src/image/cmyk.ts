import sharp, { type Sharp } from 'sharp';
import { bytesEntry, type IfdEntry, longEntry, shortEntry, shortsEntry, UNDEFINED, writeIfd } from './ifd.js';
import { READING } from './libvips.js';
import { channelsOf, fullOf, interleave, readSamples, type Samples } from './picture.js';

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
  const upright = source.autoOrient().pipelineColourspace('cmyk');
  const { samples, width, height, channels } = await readSamples(upright, isDeep, 'cmyk');
  const stored = channelsOf(samples, channels, INKS);
  const none = fullOf(stored);
  const inks = options.isInverted ? stored.map((value) => none - value) : stored;
  const picture = sharp(writeTiff(width, height, inks, options.icc), READING);
  if (!options.hasAlpha || channels <= INKS) return picture;
  const { samples: rgb } = await readSamples(picture, isDeep);
  const alpha = channelsOf(samples, channels, 1, INKS);
  return sharp(interleave({ rgb, alpha }).samples, { raw: { width, height, channels: 4 } });
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

import { bytesEntry, type IfdEntry, longEntry, shortEntry, shortsEntry, UNDEFINED, writeIfd } from '../metadata/ifd.js';
import type { Samples } from '../picture/picture.js';

/**
 * An uncompressed TIFF from Photoshop's inverted CMYK (all bits set is no ink). Channels after the fourth are dropped.
 */
export function writeCmykTiff(
  width: number,
  height: number,
  inverted: Samples,
  channels: number,
  icc: Buffer | null,
): Buffer {
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  const samples = width * height * 4;
  const isDeep = inverted instanceof Uint16Array;
  const none = isDeep ? 0xffff : 0xff;
  const inks = isDeep ? new Uint16Array(samples) : new Uint8Array(samples);
  for (let from = 0, to = 0; to < samples; from += channels) {
    for (let channel = 0; channel < 4; channel++) inks[to++] = none - (inverted[from + channel] ?? none);
  }
  const ink = Buffer.from(inks.buffer);
  const entries: IfdEntry[] = [
    longEntry(256, width),
    longEntry(257, height),
    shortsEntry(258, new Array<number>(4).fill(isDeep ? 16 : 8)),
    shortEntry(259, 1),
    shortEntry(262, 5),
    longEntry(273, header.length),
    shortEntry(277, 4),
    longEntry(278, height),
    longEntry(279, ink.length),
    shortEntry(284, 1),
  ];
  if (icc) entries.push(bytesEntry(34_675, UNDEFINED, icc));
  const firstIfd = header.length + ink.length;
  header.writeUInt32LE(firstIfd, 4);
  return Buffer.concat([header, ink, writeIfd(entries, firstIfd)]);
}

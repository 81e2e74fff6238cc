import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { metadataEntries } from './attach-metadata.js';
import type { FileMetadata } from './file-metadata.js';
import { type IfdEntry, longsEntry, SCREEN_RESOLUTION, shortEntry } from './ifd.js';
import type { Samples } from './picture.js';
import {
  bytesOf,
  type PixelLayout,
  type Rows,
  rowBytesOf,
  tiffDirectory,
  tiffEntries,
  tiffHeader,
} from './pixel-file.js';
import { COMPRESSION, compressStrips, roomFor, rowsPerStripOf, type Strip } from './strips.js';
import { withFile, writeAt } from './with-file.js';

/** Adobe's deflate, and differences to the sample before (TIFF 6.0, section 14; Technical Note 3). */
const DEFLATE = 8;
const HORIZONTAL = 2;

/**
 * Writes a TIFF of any size: strips that are compressed as they are read. What libvips would take for LZW of a photograph of 100
 * megapixels, 20 s of a processor, is then shared by two and can be stopped in between.
 * @returns the number of its bytes
 */
export async function writeTiff(
  path: string,
  pixels: Rows,
  metadata: FileMetadata,
  onProgress: (fraction: number) => void,
): Promise<number> {
  const { layout } = pixels;
  const filter = async (strip: Strip) => {
    const bytes = differences(await pixels.rows(strip.first, strip.end - strip.first), layout, strip.space);
    onProgress(strip.end / layout.height);
    return bytes;
  };
  return withFile(
    path,
    async (file) => {
      const [starts, lengths]: [number[], number[]] = [[], []];
      let end = tiffHeader(0).length;
      for await (const strip of compressStrips(layout, filter, compress)) {
        await writeAt(file, strip, end);
        starts.push(end);
        lengths.push(strip.length);
        end += strip.length;
      }
      const own: IfdEntry[] = [
        ...tiffEntries(layout, rowsPerStripOf(layout)),
        ...SCREEN_RESOLUTION,
        shortEntry(259, DEFLATE),
        longsEntry(273, starts),
        longsEntry(279, lengths),
        shortEntry(317, HORIZONTAL),
      ];
      const { entries, children } = metadataEntries(own, metadata, layout, end + (end % 2));
      await writeAt(file, children, end + (end % 2));
      end += (end % 2) + children.length;
      const [directory, at] = tiffDirectory(entries, end);
      await writeAt(file, directory, at);
      await writeAt(file, tiffHeader(end), 0);
      return at + directory.length;
    },
    'w',
  );
}

const compress = (bytes: Buffer): Promise<Buffer> =>
  promisify(deflate)(bytes, { ...COMPRESSION, chunkSize: roomFor(bytes.length) });

/** Each sample less that of the pixel before, in the space. */
function differences(samples: Samples, layout: PixelLayout, space: Buffer): Buffer {
  const { width, channels } = layout;
  const bytes = space.subarray(0, samples.byteLength);
  bytes.set(bytesOf(samples));
  const stride = rowBytesOf(layout) / samples.BYTES_PER_ELEMENT;
  const target =
    samples instanceof Uint8Array ? bytes : new Uint16Array(bytes.buffer, bytes.byteOffset, samples.length);
  for (let start = 0; start < samples.length; start += stride) {
    for (let at = start + channels; at < start + width * channels; at++) {
      target[at] = (samples[at] as number) - (samples[at - channels] as number);
    }
  }
  return bytes;
}

import { open } from 'node:fs/promises';
import { type IfdEntry, longEntry, longsEntry, shortEntry, shortsEntry, writeIfd } from './ifd.js';
import { makeSamples, type Samples } from './picture.js';
import { withFile } from './with-file.js';

/** Pixels follow in the order of memory (libvips, vips_save). */
export const VIPS_HEADER_BYTES = 64;

export interface PixelLayout {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, and transparency. */
  readonly channels: 3 | 4;
  /** 16 bits a sample, in the order of this machine; else 8. */
  readonly isDeep: boolean;
}

/** Interleaved samples, row by row, of a picture that may be larger than memory should hold. */
export class PixelFile {
  constructor(
    readonly path: string,
    readonly layout: PixelLayout,
    /** Of the first row, in bytes. */
    private readonly offset: number,
  ) {}

  async rows(first: number, count: number): Promise<Samples> {
    const { width, channels, isDeep } = this.layout;
    const samples = makeSamples(isDeep, count * width * channels);
    const bytes = bytesOf(samples);
    const start = this.offset + first * (bytes.length / count);
    await withFile(this.path, async (file) => {
      for (let done = 0; done < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, start + done);
        if (bytesRead === 0) throw new Error('the file of pixels is too short');
        done += bytesRead;
      }
    });
    return samples;
  }
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: Samples): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const HEADER = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
const UNASSOCIATED_ALPHA = 2;

/** Writes rows, as they come, into an uncompressed TIFF, which libvips reads without holding it. */
export async function writeTiff(
  path: string,
  { width, height, channels, isDeep }: PixelLayout,
  strips: AsyncIterable<Samples>,
): Promise<void> {
  const file = await open(path, 'w');
  try {
    const starts: number[] = [];
    const lengths: number[] = [];
    let end = HEADER.length;
    for await (const strip of strips) {
      const bytes = bytesOf(strip);
      for (let done = 0; done < bytes.length; ) {
        done += (await file.write(bytes, done, bytes.length - done, end + done)).bytesWritten;
      }
      starts.push(end);
      lengths.push(bytes.length);
      end += bytes.length;
    }
    const rowBytes = width * channels * (isDeep ? 2 : 1);
    const entries: IfdEntry[] = [
      longEntry(256, width),
      longEntry(257, height),
      shortsEntry(258, new Array<number>(channels).fill(isDeep ? 16 : 8)),
      shortEntry(259, 1),
      shortEntry(262, 2),
      longsEntry(273, starts),
      shortEntry(277, channels),
      longEntry(278, (lengths[0] ?? 0) / rowBytes),
      longsEntry(279, lengths),
      shortEntry(284, 1),
      ...(channels === 4 ? [shortEntry(338, UNASSOCIATED_ALPHA)] : []),
    ];
    // Directories begin at an even offset.
    const firstIfd = end + (end % 2);
    await file.write(writeIfd(entries, firstIfd), 0, undefined, firstIfd);
    const header = Buffer.from(HEADER);
    header.writeUInt32LE(firstIfd, 4);
    await file.write(header, 0, header.length, 0);
  } finally {
    await file.close();
  }
}

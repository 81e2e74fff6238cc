import { decodeInThread, threadUrl } from '../../picture/decoder-thread.js';
import type { TiffDirectory } from '../layout/directory.js';
import { TAG, type TiffLayout } from '../layout/tiff-layout.js';

const THREAD = threadUrl(import.meta.url, 'coded-chunks-thread');

/** 100 megapixels in one strip took the process to 1.4 GB. */
const MAX_PIXELS = 50_000_000;

/** The thread has a time limit of its own. */
const NEVER = new AbortController().signal;

/** ImageMagick's formats by compression: Aperio's and others' JPEG 2000 without a container, PNG, JPEG XL. */
const FORMATS: ReadonlyMap<number, string> = new Map([
  [33_003, 'J2K'],
  [33_004, 'J2K'],
  [33_005, 'J2K'],
  [34_712, 'J2K'],
  [34_933, 'PNG'],
  [50_002, 'JXL'],
  [52_546, 'JXL'],
]);

const PHOTOMETRIC = { blackIsZero: 1, rgb: 2, yCbCr: 6 } as const;
/** ImageMagick's names of the channels, by their number. */
const CHANNELS = ['', 'R', '', 'RGB', 'RGBA'];

export interface DecodedChunks {
  /** Samples of 8 bits. */
  readonly chunks: readonly Buffer[];
  readonly photometric: number;
}

export const isCoded = ({ compression }: TiffLayout): boolean => FORMATS.has(compression);

/**
 * Strips or tiles that are pictures themselves.
 * @throws RangeError for colors other than gray and RGB; InvalidImageError for damaged data
 */
export async function decodeChunks(
  file: Buffer,
  { numbers }: TiffDirectory,
  layout: TiffLayout,
): Promise<DecodedChunks> {
  const { isTiled, hasSeparatePlanes, photometric, isFloat } = layout;
  const samples = hasSeparatePlanes ? 1 : layout.samplesPerPixel;
  const channels = CHANNELS[samples];
  const isKnown = photometric === PHOTOMETRIC.blackIsZero || photometric === PHOTOMETRIC.rgb;
  if (!channels || isFloat || !(isKnown || (photometric === PHOTOMETRIC.yCbCr && samples === 3))) {
    throw new RangeError('the strips have unknown colors');
  }
  const width = isTiled ? (numbers(TAG.tileWidth)?.[0] ?? 0) : layout.width;
  const planes = hasSeparatePlanes ? layout.samplesPerPixel : 1;
  const lengths = numbers(isTiled ? TAG.tileByteCounts : TAG.stripByteCounts) ?? [];
  const stored = (numbers(isTiled ? TAG.tileOffsets : TAG.stripOffsets) ?? []).map((offset, index) =>
    file.subarray(offset, offset + (lengths[index] ?? 0)),
  );
  const tileHeight = numbers(TAG.tileHeight)?.[0] ?? 0;
  const height = isTiled ? tileHeight * stored.length : layout.height * planes;
  // Tiles may end beyond the picture.
  if (width * height > planes * MAX_PIXELS) throw new RangeError('the tiles are too large');
  const input = { chunks: stored, format: FORMATS.get(layout.compression), channels, width, height };
  const decoded = Buffer.from((await decodeInThread(THREAD, input, NEVER)).samples.buffer);
  const rowsPerStrip = numbers(TAG.rowsPerStrip)?.[0] ?? layout.height;
  let at = 0;
  const chunks = stored.map((_, index) => {
    const strip = index % Math.ceil(layout.height / rowsPerStrip);
    const rows = isTiled ? tileHeight : Math.min(rowsPerStrip, layout.height - strip * rowsPerStrip);
    const chunk = decoded.subarray(at, at + rows * width * samples);
    at += chunk.length;
    return chunk;
  });
  return { chunks, photometric: photometric === PHOTOMETRIC.yCbCr ? PHOTOMETRIC.rgb : photometric };
}

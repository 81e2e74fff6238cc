import { restoreAligned } from '../../networks/faces/aligned-restoration.js';
import { enlarge } from '../../networks/super-resolution.js';
import { type Box, blur, clampBox, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { PipelineContext } from '../context/context.js';

const LARGE_TILES = { size: 256, feather: 8, context: 2 };
const SMALL_TILES = { size: 320, feather: 8, context: 10 };

type Size = Pick<Raster, 'width' | 'height'>;

/** Blurs below a third of a pixel are not worth their time. */
export async function softened(raster: Raster, sigma: number): Promise<Raster> {
  return sigma < 1 / 3 ? raster : await blur(raster, sigma);
}

export interface Enlarging {
  role: 'restore-face' | 'restore-photo';
  /** Factor by which the source is resized for the network. */
  factor: number;
  /** Size of the result. */
  size: Size;
  /** Part that the network sees, in fractions of the source's sides; absent: all. */
  part?: Box | undefined;
}

const partOf = ({ width, height }: Size, part: Box): Box =>
  clampBox(
    { x: part.x * width, y: part.y * height, width: part.width * width, height: part.height * height },
    width,
    height,
  );

/** The network's output for a source, at another size. */
export async function enlargeFrom(
  context: PipelineContext,
  source: Raster,
  { role, factor, size, part }: Enlarging,
  onProgress: (fraction: number) => void,
): Promise<Raster> {
  const width = Math.max(1, Math.round(source.width * factor));
  const height = Math.max(1, Math.round(source.height * factor));
  const session = await context.sessions.get(role);
  const input = await resize(source, width, height, 'cubic');
  const enlarged = session.entry.alignment
    ? await restoreAligned(session, await context.sessions.get('face-mesh'), input)
    : await enlarge(session, input, {
        limits: role === 'restore-face' ? LARGE_TILES : SMALL_TILES,
        part: part && partOf(input, part),
        signal: context.signal,
        onTile: (done, total) => onProgress(done / total),
      });
  return await resize(enlarged, size.width, size.height, 'cubic');
}

import { enlarge } from '../../networks/super-resolution.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { PipelineContext } from './context.js';

const TILES = { size: 320, feather: 8, context: 10 };

/** What the network for photos makes of a picture reduced by `factor`, at the picture's size. */
export async function enlargePhoto(
  { sessions, signal }: Pick<PipelineContext, 'sessions' | 'signal'>,
  picture: Raster,
  factor: number,
  onProgress: (fraction: number) => void,
): Promise<Raster> {
  const width = Math.max(1, Math.round(picture.width * factor));
  const height = Math.max(1, Math.round(picture.height * factor));
  const input = await resize(picture, width, height, 'cubic');
  const enlarged = await enlarge(await sessions.get('restore-photo'), input, {
    limits: TILES,
    signal,
    onTile: (done, total) => onProgress(done / total),
  });
  return await resize(enlarged, picture.width, picture.height, 'cubic');
}

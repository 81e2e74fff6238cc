import { DEFAULT_JPEG_QUALITY, type enhanceImage, type JobPayload, type Recipe } from '@clearframe/contract';
import { canvasOf, type EncodedImage, encodeImage } from '../../image/encode/encode.js';
import { encodeRendition } from '../../image/encode/rendition.js';
import { fileMetadataOf } from '../../image/metadata/file-metadata.js';
import type { Picture } from '../../image/picture/picture.js';

type Order = Pick<JobPayload<typeof enhanceImage>, 'rendition' | 'keepLocation'>;

/** The lossless master and the requested rendition. */
export async function encodeResult(
  picture: Picture,
  recipe: Recipe,
  { rendition: order, keepLocation }: Order,
): Promise<{ master: EncodedImage; rendition: EncodedImage }> {
  const metadata = fileMetadataOf(picture.metadata, { recipe, keepLocation });
  const lossless = { contentType: 'image/png', jpegQuality: DEFAULT_JPEG_QUALITY } as const;
  const master = encodeImage(canvasOf(picture), lossless, metadata);
  const rendition = equalsMaster(order, picture) ? master : encodeRendition(picture, order, metadata);
  const [first, second] = await Promise.all([master, rendition]);
  return { master: first, rendition: second };
}

const equalsMaster = ({ contentType, watermark, maxSide }: Order['rendition'], { width, height }: Picture): boolean =>
  contentType === 'image/png' && !watermark && (maxSide === null || Math.max(width, height) <= maxSide);

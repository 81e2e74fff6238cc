import { DEFAULT_JPEG_QUALITY, type enhanceImage, type JobPayload, type Recipe } from '@clearframe/contract';
import { type EncodedDisplay, encodeDisplay } from '../../image/encode/display.js';
import { canvasOf, type EncodedImage, encodeImage } from '../../image/encode/encode.js';
import { encodeRendition } from '../../image/encode/rendition.js';
import { fileMetadataOf } from '../../image/metadata/file-metadata.js';
import type { Picture } from '../../image/picture/picture.js';

type Order = Pick<JobPayload<typeof enhanceImage>, 'rendition' | 'display' | 'keepLocation'>;

export interface EncodedResult extends EncodedDisplay {
  readonly master: EncodedImage;
  readonly rendition: EncodedImage;
}

/** The lossless master, the requested rendition and the files for pages. */
export async function encodeResult(picture: Picture, recipe: Recipe, order: Order): Promise<EncodedResult> {
  const metadata = fileMetadataOf(picture.metadata, { recipe, keepLocation: order.keepLocation });
  const lossless = { contentType: 'image/png', jpegQuality: DEFAULT_JPEG_QUALITY } as const;
  const encodingMaster = encodeImage(canvasOf(picture), lossless, metadata);
  const [master, rendition, display] = await Promise.all([
    encodingMaster,
    equalsMaster(order.rendition, picture) ? encodingMaster : encodeRendition(picture, order.rendition, metadata),
    encodeDisplay(picture, order.display),
  ]);
  return { master, rendition, ...display };
}

const equalsMaster = ({ contentType, watermark, maxSide }: Order['rendition'], { width, height }: Picture): boolean =>
  contentType === 'image/png' && !watermark && (maxSide === null || Math.max(width, height) <= maxSide);

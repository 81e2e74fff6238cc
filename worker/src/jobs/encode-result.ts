import {
  DEFAULT_JPEG_QUALITY,
  type enhanceImage,
  type FaceReport,
  type JobPayload,
  type Recipe,
} from '@clearframe/contract';
import { type EncodedDisplay, encodeDisplay } from '../image/display.js';
import { canvasOf, type EncodedImage, encodeImage } from '../image/encode.js';
import { fileMetadataOf } from '../image/file-metadata.js';
import type { Picture } from '../image/picture.js';
import { encodeRendition } from '../image/rendition.js';
import type { Region } from '../image/watermark.js';

type Face = Pick<FaceReport, 'box'>;
type Order = Pick<JobPayload<typeof enhanceImage>, 'rendition' | 'display' | 'keepLocation'>;

export interface EncodedResult extends EncodedDisplay {
  readonly master: EncodedImage;
  readonly rendition: EncodedImage;
}

export async function encodeResult(
  { picture, recipe, faces }: { readonly picture: Picture; readonly recipe: Recipe; readonly faces: readonly Face[] },
  order: Order,
): Promise<EncodedResult> {
  const metadata = fileMetadataOf(picture.metadata, { recipe, keepLocation: order.keepLocation });
  const lossless = { contentType: 'image/png', jpegQuality: DEFAULT_JPEG_QUALITY } as const;
  const encodingMaster = encodeImage(canvasOf(picture), lossless, metadata);
  const [master, rendition, display] = await Promise.all([
    encodingMaster,
    equalsMaster(order.rendition, picture) ? encodingMaster : encodeRendition(picture, order.rendition, metadata),
    encodeDisplay(
      picture,
      order.display,
      faces.map(({ box }) => regionOf(box, picture)),
    ),
  ]);
  return { master, rendition, ...display };
}

const regionOf = ({ x, y, width, height }: Face['box'], picture: Picture): Region => ({
  x: x / picture.width,
  y: y / picture.height,
  width: width / picture.width,
  height: height / picture.height,
});

const equalsMaster = ({ contentType, watermark, maxSide }: Order['rendition'], { width, height }: Picture): boolean =>
  contentType === 'image/png' && !watermark && (maxSide === null || Math.max(width, height) <= maxSide);

import { join } from 'node:path';
import {
  DEFAULT_JPEG_QUALITY,
  type enhanceImage,
  type FaceReport,
  type JobPayload,
  type Recipe,
} from '@clearframe/contract';
import { type EncodedDisplay, encodeDisplay } from '../image/display.js';
import {
  canvasOf,
  type EncodedFile,
  type EncodedImage,
  encodeImage,
  encodeToFile,
  type StripContext,
} from '../image/encode.js';
import { fileMetadataOf } from '../image/file-metadata.js';
import type { Picture } from '../image/picture.js';
import type { PixelFile } from '../image/pixel-file.js';
import {
  encodeFull,
  encodeRendition,
  type FlatSpec,
  fullViewOf,
  isFlat,
  type RenditionSpec,
  viewOf,
} from '../image/rendition.js';
import type { Region } from '../image/watermark.js';
import { encodeLayers, type LayeredOrder } from './layers.js';

/** Where files of a result are written. */
export interface Output {
  readonly folder: string;
  /** Pixels of a result in full size; null for another, whose pixels are in memory. */
  readonly full: PixelFile | null;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

type Face = Pick<FaceReport, 'box'>;
type Order = Pick<JobPayload<typeof enhanceImage>, 'rendition' | 'display' | 'keepLocation'>;
type FlatOrder = Order & { readonly rendition: FlatSpec };

interface EncodedResult extends EncodedDisplay {
  readonly master: EncodedImage;
  readonly rendition: EncodedImage;
}

export interface EncodedFiles extends EncodedDisplay {
  readonly master: EncodedImage | EncodedFile;
  readonly rendition: EncodedImage | EncodedFile;
}

interface Result {
  readonly picture: Picture;
  readonly recipe: Recipe;
  readonly faces: readonly Face[];
}

const LOSSLESS = { contentType: 'image/png', jpegQuality: DEFAULT_JPEG_QUALITY } as const;

/** The master in place of a rendition. */
const MASTER: FlatSpec = { ...LOSSLESS, watermark: false, maxSide: null };

export async function encodeFiles(
  result: Result & Pick<LayeredOrder, 'writeOriginal'>,
  order: Order,
  output: Output,
): Promise<EncodedFiles> {
  const rendition: RenditionSpec = order.rendition;
  const flat = { ...order, rendition: isFlat(rendition) ? rendition : MASTER };
  const { folder, full, signal } = output;
  const encoded = await (full ? encodeFullResult(result, flat, full, output) : encodeResult(result, flat));
  if (isFlat(rendition)) return encoded;
  const view = await (full && rendition.maxSide === null
    ? fullViewOf(full, rendition, folder)
    : viewOf(result.picture, rendition));
  const metadata = metadataOf(result, order);
  const layered = { contentType: rendition.contentType, view, writeOriginal: result.writeOriginal, metadata };
  return { ...encoded, rendition: await encodeLayers(layered, folder, signal) };
}

const metadataOf = ({ picture, recipe }: Result, { keepLocation }: Order) =>
  fileMetadataOf(picture.metadata, { recipe, keepLocation });

/** @param size of the picture whose pixels the places of faces are in */
const encodingDisplay = ({ picture, faces }: Result, order: Order, size: Size): Promise<EncodedDisplay> =>
  encodeDisplay(
    picture,
    order.display,
    faces.map(({ box }) => regionOf(box, size)),
  );

export async function encodeResult(result: Result, order: FlatOrder): Promise<EncodedResult> {
  const { picture } = result;
  const metadata = metadataOf(result, order);
  const encodingMaster = encodeImage(canvasOf(picture), LOSSLESS, metadata);
  const [master, rendition, display] = await Promise.all([
    encodingMaster,
    equalsMaster(order.rendition, picture) ? encodingMaster : encodeRendition(picture, order.rendition, metadata),
    encodingDisplay(result, order, picture),
  ]);
  return { master, rendition, ...display };
}

/** Share of the time of both files that the master takes. */
const MASTER_SHARE = 0.6;

/** Files smaller than the result are encoded from the picture as it was restored. Of large files one at a time, for memory. */
async function encodeFullResult(
  result: Result,
  order: FlatOrder,
  full: PixelFile,
  { folder, signal, onProgress }: Output,
): Promise<EncodedFiles> {
  const metadata = metadataOf(result, order);
  const from = (start: number, end: number): StripContext => ({
    signal,
    onProgress: (fraction) => onProgress(start + (end - start) * fraction),
  });
  const encodeLarge = async () => {
    const master = await encodeToFile(full, LOSSLESS, metadata, join(folder, 'master'), from(0, MASTER_SHARE));
    if (equalsMaster(order.rendition, full.layout)) return { master, rendition: master };
    const rendition =
      order.rendition.maxSide === null
        ? await encodeFull(full, order.rendition, metadata, folder, from(MASTER_SHARE, 1))
        : await encodeRendition(result.picture, order.rendition, metadata);
    return { master, rendition };
  };
  const [files, display] = await Promise.all([encodeLarge(), encodingDisplay(result, order, full.layout)]);
  return { ...files, ...display };
}

const regionOf = ({ x, y, width, height }: Face['box'], picture: Size): Region => ({
  x: x / picture.width,
  y: y / picture.height,
  width: width / picture.width,
  height: height / picture.height,
});

const equalsMaster = ({ contentType, watermark, maxSide }: Order['rendition'], { width, height }: Size): boolean =>
  contentType === 'image/png' && !watermark && (maxSide === null || Math.max(width, height) <= maxSide);

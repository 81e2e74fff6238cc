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
  type Canvas,
  canvasOf,
  type EncodedFile,
  type EncodedImage,
  encodeImage,
  encodeToFile,
} from '../image/encode.js';
import { fileMetadataOf } from '../image/file-metadata.js';
import type { ProbedImage } from '../image/formats/decode.js';
import type { Picture } from '../image/picture.js';
import { encodeFull, encodeRendition, type FlatSpec, fullViewOf, isFlat, viewOf } from '../image/rendition.js';
import type { Region } from '../image/watermark.js';
import { encodeLayers } from './layers.js';

/** Where files of a result are written. */
export interface Output {
  readonly folder: string;
  /** Opens a result in full size; null for another, whose pixels are in memory. */
  readonly open: (() => Canvas) | null;
  readonly signal: AbortSignal;
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
  result: Result & { readonly original: ProbedImage },
  order: Order,
  { folder, open, signal }: Output,
): Promise<EncodedFiles> {
  const { rendition } = order;
  const flat = { ...order, rendition: isFlat(rendition) ? rendition : MASTER };
  const encoded = await (open ? encodeFullResult(result, flat, { folder, open }) : encodeResult(result, flat));
  if (isFlat(rendition)) return encoded;
  const view = await (open && rendition.maxSide === null
    ? fullViewOf(open(), rendition)
    : viewOf(result.picture, rendition));
  const metadata = metadataOf(result, order);
  return { ...encoded, rendition: await encodeLayers({ view, original: result.original, metadata }, folder, signal) };
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

/** Files smaller than the result are encoded from the picture as it was restored. */
async function encodeFullResult(
  result: Result,
  order: FlatOrder,
  { folder, open }: { readonly folder: string; readonly open: () => Canvas },
): Promise<EncodedFiles> {
  const metadata = metadataOf(result, order);
  const full = open();
  const master = encodeToFile(full, LOSSLESS, metadata, join(folder, 'master.png'));
  const encodingRendition = () =>
    order.rendition.maxSide === null
      ? encodeFull(open(), order.rendition, metadata, join(folder, 'rendition'))
      : encodeRendition(result.picture, order.rendition, metadata);
  const [encoded, rendition, display] = await Promise.all([
    master,
    equalsMaster(order.rendition, full) ? master : encodingRendition(),
    encodingDisplay(result, order, full),
  ]);
  return { master: encoded, rendition, ...display };
}

const regionOf = ({ x, y, width, height }: Face['box'], picture: Size): Region => ({
  x: x / picture.width,
  y: y / picture.height,
  width: width / picture.width,
  height: height / picture.height,
});

const equalsMaster = ({ contentType, watermark, maxSide }: Order['rendition'], { width, height }: Size): boolean =>
  contentType === 'image/png' && !watermark && (maxSide === null || Math.max(width, height) <= maxSide);

import { app, constants, imaging } from 'photoshop';
import type { Document } from 'photoshop/dom/Document';
import type { imaging as Imaging } from 'photoshop/dom/ImagingModule';
import type { Layer } from 'photoshop/dom/Layer';
import { inEightBits } from '../core/pixels.ts';
import { type Bounds, boundsOf, overlapOf, type Size } from '../core/place.ts';
import type { Pixels, Samples } from '../core/png.ts';
import { HostError, inModal } from './modal.ts';

const SRGB = { colorSpace: 'RGB', colorProfile: 'sRGB IEC61966-2.1' } as const;
const MASK = { colorSpace: 'Grayscale', colorProfile: 'Gray Gamma 2.2' } as const;
/** In which Photoshop converts to RGB pixel by pixel. */
const MODES: readonly string[] = ['RGBColorMode', 'grayscaleMode', 'CMYKColorMode', 'labColorMode'];

const DEPTHS: Readonly<Record<string, Target['depth']>> = { 8: 8, 16: 16, 32: 32 };
/** Photoshop's own range of 16 bits ends at 32,768. */
const FULL_RANGE = { chunky: true, fullRange: true } as const;

/** What is enhanced: a layer, the selected part of one, or all visible layers merged. */
export type Scope = 'layer' | 'selection' | 'document';

export interface Target {
  readonly scope: Scope;
  readonly documentId: number;
  readonly documentName: string;
  readonly documentPath: string | null;
  readonly documentSize: Size;
  /** Above which the result is placed; read itself unless the scope is the document. */
  readonly layerId: number | null;
  readonly layerName: string;
  /** Where there are pixels to read; the answer may be smaller. */
  readonly bounds: Bounds;
  /** Bits of a sample. */
  readonly depth: 8 | 16 | 32;
  /** Of a picture that isn't sRGB, so that the panel can say what becomes of it. */
  readonly isConverted: boolean;
}

export interface Selection {
  readonly bounds: Bounds;
  readonly mask: Pixels;
}

/** Pixels with the place that they have: Photoshop leaves out empty edges. */
export interface Read {
  readonly pixels: Pixels;
  readonly bounds: Bounds;
}

const isConverted = ({ mode, colorProfileName }: Document): boolean =>
  String(mode) !== 'RGBColorMode' || ![SRGB.colorProfile, 'None'].includes(colorProfileName);

/** That of a document that was never saved is its name. */
const pathOf = ({ path, cloudDocument }: Document): string | null =>
  cloudDocument || /[/\\]/.test(path) ? path : null;

const depthOf = ({ bitsPerChannel }: Document): Target['depth'] =>
  DEPTHS[String(bitsPerChannel).replace('bitDepth', '')] ?? 8;

const plain = ({ left, top, right, bottom }: Bounds): Bounds => ({ left, top, right, bottom });

function targetIn(document: Document, scope: Scope, layer: Layer | undefined): Target {
  if (!MODES.includes(String(document.mode))) throw new HostError('mode');
  const size = { width: document.width, height: document.height };
  if (scope !== 'document' && !layer) throw new HostError('no_layer');
  let bounds = scope === 'document' || !layer ? boundsOf(size) : plain(layer.boundsNoEffects);
  if (scope === 'selection') {
    const selected = document.selection.bounds;
    if (!selected) throw new HostError('no_selection');
    bounds = overlapOf(bounds, plain(selected)) ?? { left: 0, top: 0, right: 0, bottom: 0 };
  }
  const inside = overlapOf(bounds, boundsOf(size));
  if (!inside) throw new HostError('empty');
  return {
    scope,
    documentId: document.id,
    documentName: document.name,
    documentPath: pathOf(document),
    documentSize: size,
    layerId: layer?.id ?? null,
    layerName: scope === 'document' ? document.name : (layer?.name ?? ''),
    bounds: inside,
    depth: depthOf(document),
    isConverted: isConverted(document),
  };
}

/** What the user works on. @throws HostError where there is none, or nothing in it */
export function activeTarget(scope: Scope): Target {
  const { activeDocument: document } = app;
  if (!document) throw new HostError('no_document');
  return targetIn(document, scope, document.activeLayers[0]);
}

/** All selected layers of the active document that have pixels. */
export function selectedLayers(): Target[] {
  const { activeDocument: document } = app;
  if (!document) throw new HostError('no_document');
  return [...document.activeLayers].flatMap((layer) => orNothing(() => targetIn(document, 'layer', layer)));
}

/** All open documents, merged. */
export const openDocuments = (): Target[] =>
  [...app.documents].flatMap((document) => orNothing(() => targetIn(document, 'document', [...document.layers][0])));

function orNothing(find: () => Target): Target[] {
  try {
    return [find()];
  } catch (error) {
    if (error instanceof HostError) return [];
    throw error;
  }
}

export const hasSelection = (): boolean => Boolean(app.activeDocument?.selection.bounds);

/** Which document is open, for what is remembered of it. */
export interface OpenDocument {
  readonly id: number;
  readonly name: string;
  /** Null until it is saved. */
  readonly path: string | null;
}

export function activeDocument(): OpenDocument | null {
  const { activeDocument: document } = app;
  if (!document) return null;
  return { id: document.id, name: document.name, path: pathOf(document) };
}

function find(target: Pick<Target, 'documentId' | 'documentSize'>): Document {
  const document = [...app.documents].find(({ id }) => id === target.documentId);
  if (!document) throw new HostError('closed');
  const { width, height } = target.documentSize;
  if (document.width !== width || document.height !== height) throw new HostError('resized');
  return document;
}

interface ReadOptions {
  /** A part of the target; by default all. */
  readonly bounds?: Bounds;
  readonly depth: 8 | 16;
}

/** Reads pixels, converted to sRGB by Photoshop. */
export function read(
  target: Target,
  commandName: string,
  { bounds = target.bounds, depth }: ReadOptions,
): Promise<Read> {
  return inModal(commandName, async () => {
    find(target);
    const { imageData, sourceBounds } = await imaging.getPixels({
      documentID: target.documentId,
      ...(target.scope !== 'document' && target.layerId !== null && { layerID: target.layerId }),
      sourceBounds: bounds,
      ...SRGB,
      componentSize: depth,
    });
    try {
      const data = (await imageData.getData(FULL_RANGE)) as Samples;
      const { width, height, components } = imageData;
      if (width * height === 0) throw new HostError('empty');
      return { pixels: { width, height, channels: components as 3 | 4, data }, bounds: plain(sourceBounds) };
    } finally {
      imageData.dispose();
    }
  });
}

export function readSelection(target: Target, commandName: string): Promise<Selection> {
  return inModal(commandName, async () => {
    find(target);
    const { imageData, sourceBounds } = await imaging.getSelection({
      documentID: target.documentId,
      sourceBounds: target.bounds,
    });
    try {
      const data = (await imageData.getData(FULL_RANGE)) as Samples;
      const { width, height } = imageData;
      return { bounds: plain(sourceBounds), mask: inEightBits({ width, height, channels: 1, data }) };
    } finally {
      imageData.dispose();
    }
  });
}

async function withImageData<Result>(
  { width, height, channels, data }: Pixels,
  work: (imageData: Imaging.PhotoshopImageData) => Promise<Result>,
): Promise<Result> {
  const space = channels === 1 ? MASK : SRGB;
  const imageData = await imaging.createImageDataFromBuffer(data, {
    width,
    height,
    components: channels,
    ...FULL_RANGE,
    ...space,
  });
  try {
    return await work(imageData);
  } finally {
    imageData.dispose();
  }
}

export interface Placement {
  readonly name: string;
  readonly commandName: string;
  readonly pixels: Pixels;
  readonly bounds: Bounds;
  readonly mask: Pixels | null;
}

/** Ids of the newest results by document and layer, whose ids are its document's own. */
const newestResults = new Map<string, number>();

/**
 * A new layer above the target and its earlier results, as one step of the history. The source stays as it is, and selected: the next
 * run begins with it again.
 * @throws HostError `closed` or `resized` where the document isn't what it was when it was read
 */
export function place(target: Target, { name, commandName, pixels, bounds, mask }: Placement): Promise<void> {
  return inModal(commandName, async ({ hostControl }) => {
    const document = find(target);
    const step = await hostControl.suspendHistory({ documentID: document.id, name: commandName });
    let isDone = false;
    try {
      if (app.activeDocument.id !== document.id) app.activeDocument = document;
      const layers = allLayers(document.layers);
      const source = layers.find(({ id }) => id === target.layerId);
      const key = `${document.id} ${target.layerId}`;
      const earlier = layers.find(({ id }) => id === newestResults.get(key));
      const selected = [...document.activeLayers];
      const layer = await document.createPixelLayer({ name });
      if (!layer) throw new HostError('closed');
      const isOfLayer = target.scope !== 'document';
      const below = isOfLayer ? (earlier ?? source) : [...document.layers].find(({ id }) => id !== layer.id);
      if (below) layer.move(below, constants.ElementPlacement.PLACEBEFORE);
      const at = { documentID: document.id, layerID: layer.id, targetBounds: { left: bounds.left, top: bounds.top } };
      await withImageData(pixels, (imageData) =>
        imaging.putPixels({ ...at, imageData, replace: true } as Imaging.PutPixelsOptions),
      );
      if (mask)
        await withImageData(mask, (imageData) =>
          imaging.putLayerMask({ ...at, imageData, replace: true } as Imaging.PutLayerMaskOptions),
        );
      if (selected.length > 0) layer.selected = false;
      for (const one of selected) one.selected = true;
      if (isOfLayer) newestResults.set(key, layer.id);
      isDone = true;
    } finally {
      await hostControl.resumeHistory(step, isDone);
    }
  });
}

function allLayers(layers: Iterable<Layer>): Layer[] {
  return [...layers].flatMap((layer) => [layer, ...(layer.layers ? allLayers(layer.layers) : [])]);
}

/** An enlarged result has no place in its document. */
export function openAsDocument(pixels: Pixels, name: string, commandName: string): Promise<void> {
  return inModal(commandName, async () => {
    const { width, height } = pixels;
    const document = await app.createDocument({
      width,
      height,
      resolution: 72,
      name,
      mode: constants.NewDocumentMode.RGB,
      fill: constants.DocumentFill.TRANSPARENT,
      profile: SRGB.colorProfile,
    });
    const layer = document ? [...document.layers][0] : undefined;
    if (!document || !layer) throw new HostError('closed');
    const at = { documentID: document.id, layerID: layer.id, targetBounds: { left: 0, top: 0 } };
    await withImageData(pixels, (imageData) =>
      imaging.putPixels({ ...at, imageData, replace: true } as Imaging.PutPixelsOptions),
    );
  });
}

/** Of RGB without alpha, for pixels that are too many for a PNG. */
export function jpegOf(pixels: Pixels): Promise<Uint8Array> {
  return withImageData(pixels, async (imageData) =>
    Uint8Array.from((await imaging.encodeImageData({ imageData, base64: false })) as number[]),
  );
}

/** A JPEG for an `img` of the panel, which shows no pixels. */
export function jpegAddressOf(pixels: Pixels): Promise<string> {
  return withImageData(pixels, async (imageData) => {
    const jpeg = await imaging.encodeImageData({ imageData, base64: true });
    return `data:image/jpeg;base64,${String(jpeg)}`;
  });
}

import { InvalidImageError } from '../picture/errors.js';
import { type BlendColor, blendOf } from './layer-blend.js';
import { type ChannelRows, isUnpackedAtOnce, openChannel } from './layer-channel.js';
import type { LayerRecord } from './layer-records.js';
import type { PsdLayout } from './psd-layout.js';

/** Every pixel of a layer is unpacked once: about 10 s. */
const MAX_LAYER_PIXELS = 400_000_000;
/** Compressed by ZIP, which is unpacked for all layers at once. */
const MAX_UNPACKED_BYTES = 300_000_000;

interface Common {
  readonly record: LayerRecord;
  readonly blend: BlendColor;
  readonly mask: ChannelRows | null;
}
export interface Layer extends Common {
  readonly kind: 'layer';
  readonly colors: readonly ChannelRows[];
  readonly alpha: ChannelRows | null;
}
export interface Group extends Common {
  readonly kind: 'group';
  /** Layers blend with what is below the group. */
  readonly isPassThrough: boolean;
  readonly children: readonly LayerNode[];
}
export type LayerNode = Layer | Group;

const TRANSPARENCY_CHANNEL = -1;
const MASK_CHANNEL = -2;

const sizeOf = ({ left, right, top, bottom }: LayerRecord | NonNullable<LayerRecord['mask']>) => ({
  width: Math.max(0, right - left),
  height: Math.max(0, bottom - top),
});

/** Visible layers from bottom to top; null where one has something that its pixels don't show. */
export async function openLayers(
  section: Buffer,
  records: readonly LayerRecord[],
  { header }: PsdLayout,
  colors: number,
): Promise<readonly LayerNode[] | null> {
  let [pixels, unpackedBytes] = [0, 0];
  const bytesPerSample = header.bitsPerSample / 8;
  const open = async (record: LayerRecord, id: number, size: ReturnType<typeof sizeOf>) => {
    const place = record.channels.get(id);
    pixels += size.width * size.height;
    if (!place || size.width * size.height === 0) return null;
    if (pixels > MAX_LAYER_PIXELS) throw new RangeError('the layers are too large');
    const data = section.subarray(place.at, place.at + place.length);
    if (isUnpackedAtOnce(data)) unpackedBytes += size.width * size.height * bytesPerSample;
    if (unpackedBytes > MAX_UNPACKED_BYTES) throw new InvalidImageError('uploads.layers_only');
    return openChannel(data, { ...size, bytesPerSample, isLarge: header.isLarge });
  };
  const nodeOf = async (draft: Draft): Promise<LayerNode | null> => {
    const { record } = draft;
    const isPassThrough = record.blendMode === 'pass';
    const blend = blendOf(isPassThrough ? 'norm' : record.blendMode, colors);
    if (!blend || record.isUnsupported) return null;
    const mask = record.mask && (await open(record, MASK_CHANNEL, sizeOf(record.mask)));
    if (draft.children) {
      const children = await nodesOf(draft.children);
      return children && { kind: 'group', record, blend, mask, isPassThrough, children };
    }
    if (record.fill) return colors === 3 ? { kind: 'layer', record, blend, mask, colors: [], alpha: null } : null;
    const opened = await Promise.all(Array.from({ length: colors }, (_, id) => open(record, id, sizeOf(record))));
    const found = opened.filter((rows) => rows !== null);
    if (found.length !== 0 && found.length !== colors) return null;
    const alpha = await open(record, TRANSPARENCY_CHANNEL, sizeOf(record));
    return { kind: 'layer', record, blend, mask, colors: found, alpha };
  };
  const nodesOf = async (drafts: readonly Draft[]): Promise<LayerNode[] | null> => {
    const nodes: LayerNode[] = [];
    let base: LayerRecord | null = null;
    for (const draft of drafts) {
      const { isHidden, isClipped } = draft.record;
      if (!isClipped) base = draft.record;
      if (isHidden || (isClipped && base?.isHidden)) continue;
      if (isClipped && base?.blendMode === 'pass') return null;
      const node = await nodeOf(draft);
      if (!node) return null;
      nodes.push(node);
    }
    return nodes;
  };
  const drafts = nested(records);
  return drafts && nodesOf(drafts);
}

interface Draft {
  readonly record: LayerRecord;
  readonly children: readonly Draft[] | null;
}

function nested(records: readonly LayerRecord[]): readonly Draft[] | null {
  const stack: Draft[][] = [[]];
  for (const record of records) {
    if (record.section === 'open') {
      stack.push([]);
      continue;
    }
    const children = record.section === 'close' ? (stack.pop() ?? null) : null;
    const parent = stack.at(-1);
    if (!parent) return null;
    parent.push({ record, children });
  }
  return stack.length === 1 ? (stack[0] ?? null) : null;
}

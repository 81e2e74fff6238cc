import { hasOwnFill } from './layer-blend.js';
import { readLayerExtras } from './layer-extras.js';
import { readSize } from './psd-layout.js';

export interface Rectangle {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface LayerMask extends Rectangle {
  /** 0..1 outside the rectangle. */
  readonly outside: number;
  readonly isInverted: boolean;
  /** 0..1: how much the mask hides. */
  readonly density: number;
}

export interface LayerRecord extends Rectangle {
  /** Position and length of each channel's data by id: 0 and up are colors, -1 transparency, -2 the mask. */
  readonly channels: ReadonlyMap<number, { readonly at: number; readonly length: number }>;
  readonly blendMode: string;
  /** 0..1, of layer and fill together. */
  readonly opacity: number;
  readonly isClipped: boolean;
  readonly isHidden: boolean;
  readonly mask: LayerMask | null;
  /** Where a group begins and ends; records run from bottom to top. */
  readonly section: 'open' | 'close' | null;
  /** Color of a fill layer without pixels, 0..1. */
  readonly fill: readonly number[] | null;
  /** Something that the pixels don't show: an adjustment, an effect, a gradient, a shape. */
  readonly isUnsupported: boolean;
}

/** More than any document has. */
const MAX_LAYERS = 2_000;
const FLAGS = { hidden: 2 } as const;
const MASK_FLAGS = { disabled: 2, inverted: 4, isRendered: 8, hasParameters: 16 } as const;
const MASK_CHANNEL = -2;
/** Present where the mask is joined with a vector mask, whose density it may not have. */
const JOINED_MASK_CHANNEL = -3;

/** 'Layer records'. @throws RangeError for lengths outside the section; null for too many layers */
export function readLayerRecords(section: Buffer, at: number, isLarge: boolean): LayerRecord[] | null {
  const count = Math.abs(section.readInt16BE(at));
  if (count > MAX_LAYERS) return null;
  const drafts: LayerDraft[] = [];
  let next = at + 2;
  for (let index = 0; index < count; index++) {
    const draft = readRecord(section, next, isLarge);
    drafts.push(draft);
    next = draft.end;
  }
  return drafts.map(({ record, lengths }) => {
    const channels = new Map<number, { at: number; length: number }>();
    for (const [id, length] of lengths) {
      channels.set(id, { at: next, length });
      next += length;
    }
    return { ...record, channels };
  });
}

interface LayerDraft {
  readonly record: Omit<LayerRecord, 'channels'>;
  readonly lengths: readonly (readonly [id: number, length: number])[];
  readonly end: number;
}

function readRecord(section: Buffer, at: number, isLarge: boolean): LayerDraft {
  const rectangle = rectangleAt(section, at);
  const channelCount = section.readUInt16BE(at + 16);
  const lengthBytes = isLarge ? 8 : 4;
  let next = at + 18;
  const lengths: [number, number][] = [];
  for (let index = 0; index < channelCount; index++) {
    lengths.push([section.readInt16BE(next), readSize(section, next + 2, isLarge)]);
    next += 2 + lengthBytes;
  }
  // Four bytes of signature precede the mode.
  const blendMode = section.toString('latin1', next + 4, next + 8);
  const [opacity, clipping, flags] = [8, 9, 10].map((offset) => section.readUInt8(next + offset)) as [
    number,
    number,
    number,
  ];
  const extraAt = next + 16;
  const end = extraAt + section.readUInt32BE(next + 12);
  const maskLength = section.readUInt32BE(extraAt);
  const rangesAt = extraAt + 4 + maskLength;
  const rangesLength = section.readUInt32BE(rangesAt);
  const nameAt = rangesAt + 4 + rangesLength;
  const name = section.readUInt8(nameAt) + 1;
  const extra = readLayerExtras(section, nameAt + name + ((4 - (name % 4)) % 4), end, isLarge);
  const hasMask = lengths.some(([id]) => id === MASK_CHANNEL);
  const isEmpty = rectangle.right <= rectangle.left || rectangle.bottom <= rectangle.top;
  const mask = readMask(section.subarray(extraAt + 4, rangesAt));
  const record = {
    ...rectangle,
    blendMode: extra.blendMode ?? blendMode,
    opacity: (opacity / 255) * extra.fillOpacity,
    isClipped: clipping !== 0,
    isHidden: (flags & FLAGS.hidden) !== 0,
    mask: hasMask && mask !== 'feathered' ? mask : null,
    section: extra.section,
    fill: isEmpty ? extra.fill : null,
    isUnsupported:
      extra.isUnsupported ||
      mask === 'feathered' ||
      (extra.hasVectorMask && (isEmpty || !hasMask) && !(extra.fill && !isEmpty)) ||
      lengths.some(([id]) => id === JOINED_MASK_CHANNEL) ||
      !isWholeRange(section.subarray(rangesAt + 4, nameAt)) ||
      (extra.fillOpacity < 1 && hasOwnFill(blendMode)),
  };
  return { record, lengths, end };
}

const rectangleAt = (bytes: Buffer, at: number): Rectangle => ({
  top: bytes.readInt32BE(at),
  left: bytes.readInt32BE(at + 4),
  bottom: bytes.readInt32BE(at + 8),
  right: bytes.readInt32BE(at + 12),
});

/** 'Layer mask / adjustment layer data'; null without one. */
function readMask(data: Buffer): LayerMask | 'feathered' | null {
  if (data.length < 18) return null;
  const flags = data.readUInt8(17);
  if (flags & MASK_FLAGS.disabled) return null;
  let density = 1;
  // The mask before a vector mask was added to it has 18 bytes.
  let at = data.length - 18 >= 18 ? 36 : 18;
  if (flags & MASK_FLAGS.hasParameters && at < data.length) {
    // Density and feather of the mask, then of the vector mask.
    const parameters = data.readUInt8(at++);
    const ofVectorMask = (flags & MASK_FLAGS.isRendered) !== 0;
    if (parameters & 1) density = (ofVectorMask ? 255 : data.readUInt8(at)) / 255;
    if (parameters & 1) at++;
    if (parameters & 2) {
      if (data.readDoubleBE(at) > 0) return 'feathered';
      at += 8;
    }
    if (parameters & 4 && ofVectorMask) density = data.readUInt8(at) / 255;
    if (parameters & 4) at++;
    if (parameters & 8 && data.readDoubleBE(at) > 0) return 'feathered';
  }
  return {
    ...rectangleAt(data, 0),
    outside: data.readUInt8(16) / 255,
    isInverted: (flags & MASK_FLAGS.inverted) !== 0,
    density,
  };
}

/** 'Blend if' hides tones unless each range is 0 to 255. */
function isWholeRange(ranges: Buffer): boolean {
  for (let at = 0; at + 4 <= ranges.length; at += 4) if (ranges.readUInt32BE(at) !== 0x0000ffff) return false;
  return true;
}

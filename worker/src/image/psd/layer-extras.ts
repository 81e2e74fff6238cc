import { LONG_BLOCKS, readSize } from './psd-layout.js';

export interface LayerExtras {
  readonly section: 'open' | 'close' | null;
  readonly blendMode: string | null;
  readonly fill: readonly number[] | null;
  /** 0..1 */
  readonly fillOpacity: number;
  readonly hasVectorMask: boolean;
  readonly isUnsupported: boolean;
}

/** Adjustments, gradients, patterns, restricted channels, and artboards. */
const UNSUPPORTED_KEYS = new Set(
  'GdFl PtFl brit levl curv expA vibA hue  hue2 blnc blwh phfl mixr clrL nvrt post thrs grdm selc artb'
    .split(' ')
    .map((key) => key.padEnd(4)),
);
const EFFECTS = new Set(['lfx2', 'lmfx', 'lfxs']);
const VECTOR_MASKS = new Set(['vmsk', 'vsms']);
const VECTOR_MASK_DISABLED = 4;
const SECTIONS = new Set(['lsct', 'lsdk']);
const SECTION_TYPE = { open: 1, closed: 2, divider: 3 } as const;

/** 'Additional layer information' between two positions. */
export function readLayerExtras(section: Buffer, from: number, end: number, isLarge: boolean): LayerExtras {
  const keys = new Map<string, Buffer>();
  for (let at = from; at + 12 <= end; ) {
    const signature = section.toString('latin1', at, at + 4);
    if (signature !== '8BIM' && signature !== '8B64') {
      // Some writers pad blocks.
      at++;
      continue;
    }
    const key = section.toString('latin1', at + 4, at + 8);
    const isLong = isLarge && LONG_BLOCKS.has(key);
    const length = readSize(section, at + 8, isLong);
    const dataAt = at + (isLong ? 16 : 12);
    keys.set(key, section.subarray(dataAt, Math.min(end, dataAt + length)));
    at = dataAt + length;
  }
  const found = (names: ReadonlySet<string>): Buffer[] =>
    [...keys].flatMap(([key, data]) => (names.has(key) ? [data] : []));
  const divider = found(SECTIONS)[0];
  const type = divider && divider.length >= 4 ? divider.readUInt32BE(0) : 0;
  const color = keys.get('SoCo');
  const fill = color ? colorIn(color) : null;
  const vectorMask = found(VECTOR_MASKS).find((data) => data.length >= 8);
  return {
    section:
      type === SECTION_TYPE.divider
        ? 'open'
        : type === SECTION_TYPE.open || type === SECTION_TYPE.closed
          ? 'close'
          : null,
    blendMode: divider && divider.length >= 12 ? divider.toString('latin1', 8, 12) : null,
    fill,
    fillOpacity: (keys.get('iOpa')?.[0] ?? 255) / 255,
    hasVectorMask: vectorMask !== undefined && (vectorMask.readUInt32BE(4) & VECTOR_MASK_DISABLED) === 0,
    isUnsupported:
      (color !== undefined && !fill) ||
      (keys.get('knko')?.[0] ?? 0) !== 0 ||
      found(EFFECTS).some(hasEffects) ||
      (keys.has('lrFX') && found(EFFECTS).length === 0) ||
      (keys.get('brst')?.length ?? 0) > 0 ||
      found(UNSUPPORTED_KEYS).length > 0,
  };
}

/** A descriptor's boolean: a key, then 'bool' and a byte. */
const ENABLED = Buffer.from('enabbool\x01', 'latin1');
const ALL_DISABLED = Buffer.from('masterFXSwitchbool\0', 'latin1');
const hasEffects = (descriptor: Buffer): boolean => !descriptor.includes(ALL_DISABLED) && descriptor.includes(ENABLED);

/** Red, green and blue of a descriptor, 0..1; null for a color of another kind. */
function colorIn(descriptor: Buffer): readonly number[] | null {
  const channels = ['Rd  doub', 'Grn doub', 'Bl  doub'].map((key) => descriptor.indexOf(key, 0, 'latin1'));
  if (channels.some((at) => at < 0 || at + 16 > descriptor.length)) return null;
  return channels.map((at) => Math.min(1, Math.max(0, descriptor.readDoubleBE(at + 8) / 255)));
}

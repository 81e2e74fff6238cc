type PsdColorMode = 'bitmap' | 'gray' | 'indexed' | 'rgb' | 'cmyk' | 'lab';

const COLOR_MODES: Readonly<Record<number, PsdColorMode>> = {
  0: 'bitmap',
  1: 'gray',
  2: 'indexed',
  3: 'rgb',
  4: 'cmyk',
  // A duotone stores a gray picture.
  8: 'gray',
  9: 'lab',
};

interface PsdHeader {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** Null for an unknown one. */
  readonly mode: PsdColorMode | null;
  /** Version 2 (PSB), with some wider lengths. */
  readonly isLarge: boolean;
}

/** Adobe Photoshop File Formats Specification, 'File Header Section'. */
export const PSD_HEADER_BYTES = 26;
const MAX_CHANNELS = 56;

export function readPsdHeader(bytes: Buffer): PsdHeader | null {
  if (bytes.length < PSD_HEADER_BYTES || bytes.toString('latin1', 0, 4) !== '8BPS') return null;
  const version = bytes.readUInt16BE(4);
  const channels = bytes.readUInt16BE(12);
  if ((version !== 1 && version !== 2) || channels > MAX_CHANNELS) return null;
  return {
    isLarge: version === 2,
    channels,
    height: bytes.readUInt32BE(14),
    width: bytes.readUInt32BE(18),
    bitsPerSample: bytes.readUInt16BE(22),
    mode: modeOf(bytes.readUInt16BE(24), channels),
  };
}

const MULTICHANNEL = 7;

/** Channels of a multichannel document are inks, all bits set for none: converted from RGB or CMYK, they keep its samples. */
function modeOf(value: number, channels: number): PsdColorMode | null {
  if (value !== MULTICHANNEL) return COLOR_MODES[value] ?? null;
  if (channels < 3) return 'gray';
  return channels === 3 ? 'rgb' : 'cmyk';
}

/** 'Image Resource IDs'. */
const RESOURCE = { icc: 1039, versionInfo: 1057, exif: 1058 } as const;

export interface PsdLayout {
  readonly header: PsdHeader;
  /** 256 reds, greens, blues in indexed mode, else empty. */
  readonly palette: Buffer;
  readonly icc: Buffer | null;
  readonly exif: Buffer | null;
  /** The first extra channel is transparency, not a saved selection. */
  readonly hasTransparency: boolean;
  /** False without 'maximize compatibility'. */
  readonly hasMergedPicture: boolean;
  /** Position of the merged picture: two bytes of compression, then samples. */
  readonly dataOffset: number;
  /** 'Layer and Mask Information', without its length. */
  readonly layerSection: Buffer;
}

/** @throws RangeError for a length outside the file */
export function readPsdLayout(document: Buffer): PsdLayout | null {
  const header = readPsdHeader(document);
  if (!header) return null;
  const paletteAt = PSD_HEADER_BYTES + 4;
  const resourcesAt = paletteAt + document.readUInt32BE(PSD_HEADER_BYTES) + 4;
  const layersAt = resourcesAt + document.readUInt32BE(resourcesAt - 4);
  const lengthBytes = header.isLarge ? 8 : 4;
  const layersLength = readSize(document, layersAt, header.isLarge);
  const layerSection = document.subarray(layersAt + lengthBytes, layersAt + lengthBytes + layersLength);
  const layerInfo = layerInfoAt(layerSection, header.isLarge);
  const resources = readResources(document.subarray(resourcesAt, layersAt));
  return {
    header,
    palette: document.subarray(paletteAt, resourcesAt - 4),
    icc: resources.get(RESOURCE.icc) ?? null,
    exif: resources.get(RESOURCE.exif) ?? null,
    // Four bytes of version precede the flag.
    hasMergedPicture: resources.get(RESOURCE.versionInfo)?.[4] !== 0,
    // Negative number of layers.
    hasTransparency: layerInfo !== null && layerSection.readInt16BE(layerInfo) < 0,
    dataOffset: layersAt + lengthBytes + layersLength,
    layerSection,
  };
}

/** Blocks with layers of more than 8 bits, and blocks with 8-byte lengths in version 2. */
const DEEP_LAYERS = new Set(['Lr16', 'Lr32', 'Layr']);
const LONG_BLOCKS = new Set([...DEEP_LAYERS, 'LMsk', 'Mt16', 'Mt32', 'Mtrn', 'Alph', 'FMsk', 'lnk2', 'FEid', 'FXid']);

const readSize = (bytes: Buffer, at: number, isLong: boolean): number =>
  isLong ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);

/**
 * Position of the number of layers: after the section's first length or, if that is 0, in a block after the masks ('Additional
 * Layer Information'). Null without layers.
 */
function layerInfoAt(section: Buffer, isLarge: boolean): number | null {
  const lengthBytes = isLarge ? 8 : 4;
  if (section.length < lengthBytes + 2) return null;
  if (readSize(section, 0, isLarge) > 0) return lengthBytes;
  if (section.length < lengthBytes + 4) return null;
  for (let at = lengthBytes + 4 + section.readUInt32BE(lengthBytes); at + 18 <= section.length; ) {
    const key = section.toString('latin1', at + 4, at + 8);
    const isLong = isLarge && LONG_BLOCKS.has(key);
    const dataAt = at + (isLong ? 16 : 12);
    if (DEEP_LAYERS.has(key)) return dataAt;
    const length = readSize(section, at + 8, isLong);
    at = dataAt + length + ((4 - (length % 4)) % 4);
  }
  return null;
}

function readResources(section: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  let at = 0;
  while (at + 12 <= section.length && section.toString('latin1', at, at + 4) === '8BIM') {
    // A Pascal string padded to even length, then the size of the data, also padded.
    const name = section.readUInt8(at + 6) + 1;
    const sizeAt = at + 6 + name + (name % 2);
    if (sizeAt + 4 > section.length) break;
    const size = section.readUInt32BE(sizeAt);
    found.set(section.readUInt16BE(at + 4), Buffer.from(section.subarray(sizeAt + 4, sizeAt + 4 + size)));
    at = sizeAt + 4 + size + (size % 2);
  }
  return found;
}

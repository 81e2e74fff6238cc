import { type FileHandle, open } from 'node:fs/promises';
import type { CodedColour } from '../metadata/cicp.js';

/** No still picture has more. */
const MAX_BOXES = 1_000;
/** No picture's description is longer. */
const MAX_META_BYTES = 4_000_000;

interface IsobmffProperties {
  /** Every top-level box ends inside the file. Decoders notice truncation only in data they read. */
  readonly isWhole: boolean;
  readonly colour: CodedColour | null;
}

export async function readIsobmff(path: string): Promise<IsobmffProperties> {
  const file = await open(path);
  try {
    return await readBoxes(file);
  } finally {
    await file.close();
  }
}

async function readBoxes(file: FileHandle): Promise<IsobmffProperties> {
  const { size } = await file.stat();
  const head = Buffer.alloc(16);
  let colour: CodedColour | null = null;
  let at = 0;
  for (let boxes = 0; at < size && boxes < MAX_BOXES; boxes++) {
    const { bytesRead } = await file.read(head, 0, head.length, at);
    if (bytesRead < 8) return { isWhole: false, colour };
    const short = head.readUInt32BE(0);
    // 1: length in the 8 bytes after the type (ISO/IEC 14496-12, 4.2).
    if (short === 1 && bytesRead < 16) return { isWhole: false, colour };
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (head.toString('latin1', 4, 8) === 'meta' && length > 8 && length <= MAX_META_BYTES && at + length <= size) {
      const meta = Buffer.alloc(length);
      await file.read(meta, 0, length, at);
      colour ??= colourIn(meta);
    }
    // 0: to the end of the file. Trailing bytes that form no box are not truncation.
    if (length < 8) return { isWhole: true, colour };
    at += length;
  }
  return { isWhole: at <= size, colour };
}

/** Four bytes of version and flags precede the contents of 'meta'. */
const PATH = [
  { type: 'iprp', from: 12 },
  { type: 'ipco', from: 8 },
  { type: 'colr', from: 8 },
] as const;

function colourIn(meta: Buffer): CodedColour | null {
  let boxes = [meta];
  for (const { type, from } of PATH) boxes = boxes.flatMap((box) => childrenOf(box, type, from));
  const coded = boxes.find((box) => box.length >= 16 && box.toString('latin1', 8, 12) === 'nclx');
  return coded ? { primaries: coded.readUInt16BE(12), transfer: coded.readUInt16BE(14) } : null;
}

function childrenOf(box: Buffer, type: string, from: number): Buffer[] {
  const found: Buffer[] = [];
  for (let at = from; at + 8 <= box.length; ) {
    const length = box.readUInt32BE(at);
    if (length < 8) break;
    if (box.toString('latin1', at + 4, at + 8) === type) found.push(box.subarray(at, at + length));
    at += length;
  }
  return found;
}

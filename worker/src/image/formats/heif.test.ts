import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decode, rejectionOf } from '../../test/decoding.js';
import {
  CORNERS,
  distance,
  fieldsOf,
  GRAY_NARROW_AVIF,
  PREMULTIPLIED_AVIF,
  quadrants,
  TURNED_HEIC,
} from '../../test/pictures.js';
import { isNarrowStill } from './heif.js';

interface Box {
  readonly type: string;
  readonly content: Buffer;
}

function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32BE(at)) {
    const end = at + bytes.readUInt32BE(at);
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, end) });
  }
  return boxes;
}

const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const u32 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)));
const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat([Buffer.from(type, 'latin1'), ...content]);
  return Buffer.concat([u32(bytes.length + 4), bytes]);
};
const contentOf = (boxes: readonly Box[], type: string): Buffer =>
  boxes.find((each) => each.type === type)?.content ?? Buffer.alloc(0);

/** ISO/IEC 23008-12: one file with the pictures of several, of which the last is the primary one. */
function collectionOf(files: readonly Buffer[]): Buffer {
  const pictures = files.map((file) => {
    const boxes = boxesIn(file);
    const meta = boxesIn(contentOf(boxes, 'meta').subarray(4));
    const properties = boxesIn(contentOf(meta, 'iprp'));
    return {
      data: contentOf(boxes, 'mdat'),
      hdlr: contentOf(meta, 'hdlr'),
      ipco: contentOf(properties, 'ipco'),
      // Version, flags, number of items and the id of the only one.
      associations: contentOf(properties, 'ipma').subarray(10),
    };
  });
  let before = 0;
  const associations = pictures.map(({ ipco, associations: [count = 0, ...indexes] }, item) => {
    const shifted = indexes.slice(0, count).map((index) => index + before);
    before += boxesIn(ipco).length;
    return Buffer.concat([u16(item + 1), Buffer.from([count, ...shifted])]);
  });
  const [version, count] = [u32(0), pictures.length];
  const metaAt = (dataAt: number): Buffer => {
    let at = dataAt;
    const places = pictures.map(({ data }, item) => {
      const place = Buffer.concat([u16(item + 1, 0, 1), u32(at, data.length)]);
      at += data.length;
      return place;
    });
    return box(
      'meta',
      version,
      box('hdlr', pictures[0]?.hdlr ?? Buffer.alloc(0)),
      box('pitm', version, u16(count)),
      box('iloc', version, Buffer.from([0x44, 0]), u16(count), ...places),
      box(
        'iinf',
        version,
        u16(count),
        ...pictures.map((_, item) => box('infe', u32(0x02000000), u16(item + 1, 0), Buffer.from('av01\0', 'latin1'))),
      ),
      box('iprp', box('ipco', ...pictures.map(({ ipco }) => ipco)), box('ipma', version, u32(count), ...associations)),
    );
  };
  const ftyp = box('ftyp', contentOf(boxesIn(files[0] ?? Buffer.alloc(0)), 'ftyp'));
  const dataAt = ftyp.length + metaAt(0).length + 8;
  return Buffer.concat([ftyp, metaAt(dataAt), box('mdat', ...pictures.map(({ data }) => data))]);
}

describe('AVIF', () => {
  it('of several pictures is decoded as its primary one', async () => {
    const other = sharp({ create: { width: 32, height: 32, channels: 3, background: 'gray' } });
    const files = [other, quadrants()].map((image) => image.avif({ effort: 0, lossless: true }).toBuffer());
    const picture = await decode(collectionOf(await Promise.all(files)));
    expect(picture).toMatchObject({ width: 64, height: 48 });
    expect(distance(fieldsOf(picture), CORNERS)).toBeLessThan(4);
  });

  it('if animated is decoded as its first frame', async () => {
    const file = await quadrants().avif({ effort: 0, lossless: true }).toBuffer();
    file.write('avis', 8, 'latin1');
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBeLessThan(4);
  });

  it('with colors multiplied by the transparency keeps them', async () => {
    const picture = await decode(PREMULTIPLIED_AVIF);
    expect(distance(fieldsOf(picture), CORNERS)).toBeLessThan(4);
    expect(picture.alpha?.[0]).toBe(153);
  });

  it.each([20_000, 100_000])('of %d pixels a side is rejected for its size', async (side) => {
    const file = await quadrants().avif({ effort: 0 }).toBuffer();
    const at = file.indexOf('ispe', 0, 'latin1') + 8;
    file.writeUInt32BE(side, at);
    file.writeUInt32BE(side, at + 4);
    expect(await rejectionOf(file)).toBe('uploads.too_many_pixels');
  });

  it('of gray in the narrow range keeps black and white', async () => {
    const { rgb } = await decode(GRAY_NARROW_AVIF);
    expect([rgb[0], rgb[60 * 3]]).toEqual([0, 255]);
  });

  it('of gray may give its range in its codec settings only', () => {
    // 1204 x 800 pixels, 8 bits, monochrome; the first bit of the last byte is the range.
    const narrow = Buffer.from('0a0a196a659e3fc3010d0920', 'hex');
    expect(isNarrowStill(narrow)).toBe(true);
    const full = Buffer.from(narrow);
    full.writeUInt8(0xa0, 11);
    expect(isNarrowStill(full)).toBe(false);
    expect(isNarrowStill(narrow.subarray(0, 5))).toBe(false);
  });

  it('with Display P3 by code points gets its profile', async () => {
    const file = await quadrants().withIccProfile('p3').avif({ effort: 0 }).toBuffer();
    const at = file.indexOf('colrrICC', 0, 'latin1') + 4;
    file.write('nclx', at, 'latin1');
    for (const [index, code] of [12, 13, 6].entries()) file.writeUInt16BE(code, at + 4 + index * 2);
    const { icc } = (await decode(file)).metadata;
    expect(icc?.includes(Buffer.from('Display P3', 'utf16le').swap16())).toBe(true);
  });
});

function twoPictures(primary: 1 | 2): Buffer {
  let file = Buffer.from(TURNED_HEIC);
  const at = (type: string) => file.indexOf(type, 0, 'latin1');
  const endOf = (type: string) => at(type) - 4 + file.readUInt32BE(at(type) - 4);
  const append = (type: string, bytes: Buffer, parents: readonly string[]) => {
    const end = endOf(type);
    for (const box of [type, ...parents])
      file.writeUInt32BE(file.readUInt32BE(at(box) - 4) + bytes.length, at(box) - 4);
    file = Buffer.concat([file.subarray(0, end), bytes, file.subarray(end)]);
  };
  const before = file.length;
  const entry = Buffer.from(file.subarray(at('infe') - 4, endOf('infe')));
  entry.writeUInt16BE(2, 12);
  const place = Buffer.from(file.subarray(endOf('iloc') - 14, endOf('iloc')));
  place.writeUInt16BE(2, 0);
  // Essential properties: codec settings and size; the third is the rotation.
  append('ipma', Buffer.from([0, 2, 2, 0x81, 0x02]), ['iprp', 'meta']);
  append('iinf', entry, ['meta']);
  append('iloc', place, ['meta']);
  file.writeUInt32BE(2, at('ipma') + 8);
  file.writeUInt16BE(2, at('iinf') + 8);
  file.writeUInt16BE(2, at('iloc') + 10);
  for (const offset of [endOf('iloc') - 8, endOf('iloc') - 22]) {
    file.writeUInt32BE(file.readUInt32BE(offset) + file.length - before, offset);
  }
  file.writeUInt16BE(primary, at('pitm') + 8);
  return file;
}

describe('a HEIC of several pictures', () => {
  it('is decoded as the primary one', async () => {
    const { topLeft, topRight, bottomRight, bottomLeft } = CORNERS;
    const turned = { topLeft: topRight, topRight: bottomRight, bottomRight: bottomLeft, bottomLeft: topLeft };
    expect(distance(fieldsOf(await decode(twoPictures(1))), turned)).toBeLessThan(12);
    expect(distance(fieldsOf(await decode(twoPictures(2))), CORNERS)).toBeLessThan(12);
  });
});

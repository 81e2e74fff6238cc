import { describe, expect, it } from 'vitest';
import { pictureTypeOf } from './signatures.js';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

const container = (major: string, ...compatible: string[]): Uint8Array =>
  bytes(`\0\0\0${String.fromCharCode(16 + 4 * compatible.length)}ftyp${major}\0\0\0\0${compatible.join('')}`);

/** A little-endian TIFF of only its directory, at `at`: entries of one number each. */
function tiffOf(entries: Readonly<Record<number, number>>, at = 8): Uint8Array {
  const file = new Uint8Array(at + 2 + 12 * Object.keys(entries).length + 4);
  const view = new DataView(file.buffer);
  file.set(bytes('II*\0'));
  view.setUint32(4, at, true);
  view.setUint16(at, Object.keys(entries).length, true);
  Object.entries(entries).forEach(([tag, value], index) => {
    const from = at + 2 + 12 * index;
    view.setUint16(from, Number(tag), true);
    view.setUint16(from + 2, 4, true);
    view.setUint32(from + 4, 1, true);
    view.setUint32(from + 8, value, true);
  });
  return file;
}

const consecutive = (first: number, count: number): Record<number, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [first + index, 0]));

describe('the picture format of first bytes', () => {
  it.each([
    ['image/png', bytes('\x89PNG\r\n')],
    ['image/jpeg', bytes('\xff\xd8\xff\xe0')],
    ['image/webp', bytes('RIFF\x01\0\0\0WEBPVP8 ')],
    ['image/vnd.adobe.photoshop', bytes('8BPS\0\x02')],
    ['image/tiff', bytes('II*\0\x08\0\0\0')],
    ['image/tiff', bytes('MM\0*\0\0\0\x08')],
    ['image/tiff', bytes('II+\0\x08\0\0\0')],
    ['image/avif', container('avif', 'mif1')],
    ['image/heic', container('heix', 'mif1')],
    ['image/heif', container('mif1', 'heic')],
    ['image/heic', container('heim', 'mif1')],
    ['image/avif', container('MA1B', 'avif', 'mif1')],
    ['image/heif', container('1pic', 'miaf')],
  ])('is %s', (type, start) => expect(pictureTypeOf(start)).toBe(type));

  it.each([
    ['GIF', bytes('GIF89a')],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a video', container('isom', 'avc1', 'mif1')],
    ['a video of QuickTime', container('qt  ')],
    ['a sound in RIFF', bytes('RIFF\x01\0\0\0WAVEfmt ')],
    ['nothing', new Uint8Array()],
  ])('is none for %s', (_, start) => expect(pictureTypeOf(start)).toBeNull());

  it('does not depend on how many entries a TIFF has, nor on those about printing', () => {
    // Nikon's raw photographs have 28 entries at offset 8, Sony's have 50341.
    expect(pictureTypeOf(tiffOf(consecutive(254, 28)))).toBe('image/tiff');
    expect(pictureTypeOf(tiffOf({ ...consecutive(256, 8), 50341: 0 }))).toBe('image/tiff');
    expect(pictureTypeOf(tiffOf({ 254: 1, ...consecutive(256, 8) }))).toBe('image/tiff');
  });

  it.each([
    ['DNG', tiffOf({ 254: 1, 50706: 0x0104 })],
    ['DNG whose first picture is the whole one', tiffOf({ 254: 0, 50706: 0x0104 })],
    ['NEF and ARW', tiffOf({ 254: 1, 330: 900 })],
    ['CR2', Uint8Array.of(...tiffOf({ 256: 9 }, 16).map((value, at) => [0x43, 0x52][at - 8] ?? value))],
  ])('is none for a raw photograph: %s', (_, start) => expect(pictureTypeOf(start)).toBeNull());

  it('is never an error, wherever the bytes are cut', () => {
    for (const whole of [tiffOf(consecutive(254, 28)), container('MA1B', 'avif'), bytes('RIFF\x01\0\0\0WEBPVP8 ')]) {
      for (let length = 0; length < whole.length; length++) pictureTypeOf(whole.subarray(0, length));
    }
  });
});

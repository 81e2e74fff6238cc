import { type Layer, writePsdBuffer } from 'ag-psd';
import { describe, expect, it } from 'vitest';
import { decode, rejectionOf } from '../../test/decoding.js';

const SIZE = { width: 8, height: 8 };
type Rgba = readonly [number, number, number, number];

const pixelsOf = (color: Rgba, { width, height } = SIZE) => ({
  width,
  height,
  data: Uint8ClampedArray.from({ length: width * height * 4 }, (_, index) => color[index % 4] ?? 0),
});

const layerOf = (color: Rgba, more: Layer = {}): Layer => ({ top: 0, left: 0, imageData: pixelsOf(color), ...more });

/** A document without a merged picture, its layers from bottom to top. */
const documentOf = (...children: Layer[]): Buffer =>
  writePsdBuffer({
    ...SIZE,
    children,
    imageResources: { versionInfo: { hasRealMergedData: false, writerName: '', readerName: '', fileVersion: 1 } },
  });

async function pixelAt(file: Buffer, x = 0, y = 0): Promise<number[]> {
  const { rgb, alpha, width } = await decode(file);
  const at = y * width + x;
  return [...rgb.slice(at * 3, at * 3 + 3), alpha?.[at] ?? 255];
}

const RED: Rgba = [200, 0, 0, 255];
const GRAY: Rgba = [128, 128, 128, 255];

describe('a Photoshop document of layers only', () => {
  it('is composed with opacity and transparency', async () => {
    expect(await pixelAt(documentOf(layerOf(RED), layerOf([0, 0, 100, 255], { opacity: 0.5 })))).toEqual([
      100, 0, 50, 255,
    ]);
    expect(await pixelAt(documentOf(layerOf([10, 20, 30, 128])))).toEqual([10, 20, 30, 128]);
  });

  it.each([
    ['multiply', [100, 0, 0]],
    ['screen', [228, 128, 128]],
    ['linear dodge', [255, 128, 128]],
    ['difference', [72, 128, 128]],
    ['darken', [128, 0, 0]],
    ['overlay', [200, 0, 0]],
    ['luminosity', [255, 74, 74]],
  ] as const)('is blended by %s', async (blendMode, expected) => {
    const pixel = await pixelAt(documentOf(layerOf(RED), layerOf(GRAY, { blendMode })));
    expected.forEach((value, channel) => {
      expect(Math.abs((pixel[channel] ?? 0) - value)).toBeLessThan(3);
    });
  });

  it('keeps hidden layers hidden, and layers where they are', async () => {
    const small = { imageData: pixelsOf(GRAY, { width: 4, height: 4 }), top: 4, left: -2 };
    const file = documentOf(layerOf(RED), layerOf(GRAY, small), layerOf([0, 9, 0, 255], { hidden: true }));
    expect(await pixelAt(file, 0, 0)).toEqual([...RED]);
    expect(await pixelAt(file, 1, 5)).toEqual([...GRAY]);
    expect(await pixelAt(file, 2, 5)).toEqual([...RED]);
  });

  it('is cut by masks and by the layers that others are clipped to', async () => {
    const mask = {
      top: 0,
      left: 0,
      defaultColor: 0,
      imageData: pixelsOf([255, 255, 255, 255], { width: 4, height: 8 }),
    };
    const masked = documentOf(layerOf(RED), layerOf(GRAY, { mask }));
    expect([await pixelAt(masked, 3), await pixelAt(masked, 4)]).toEqual([[...GRAY], [...RED]]);
    const base = { imageData: pixelsOf(GRAY, { width: 4, height: 8 }) };
    const clipped = documentOf(layerOf(RED), layerOf(GRAY, base), layerOf([0, 0, 90, 255], { clipping: true }));
    expect([await pixelAt(clipped, 3), await pixelAt(clipped, 4)]).toEqual([[0, 0, 90, 255], [...RED]]);
  });

  it('blends groups as a whole, unless layers pass through', async () => {
    const group = (blendMode: 'normal' | 'pass through') =>
      documentOf(layerOf(RED), { opacity: 0.5, blendMode, children: [layerOf(GRAY, { blendMode: 'multiply' })] });
    expect(await pixelAt(group('normal'))).toEqual([164, 64, 64, 255]);
    expect(await pixelAt(group('pass through'))).toEqual([150, 0, 0, 255]);
  });

  it.each<[string, Layer]>([
    ['an adjustment', { adjustment: { type: 'invert' } }],
    ['an effect', layerOf(GRAY, { effects: { dropShadow: [{ enabled: true, opacity: 1 }] } })],
    ['a mode that is random', layerOf(GRAY, { blendMode: 'dissolve' })],
  ])('is rejected with what to do for %s', async (_, layer) => {
    expect(await rejectionOf(documentOf(layerOf(RED), layer))).toBe('uploads.layers_only');
    expect(await rejectionOf(documentOf(layerOf(RED), { ...layer, hidden: true }))).toBe('accepted');
  });

  it('is rejected where its groups would take minutes', async () => {
    let nested: Layer = layerOf(RED);
    for (let depth = 0; depth < 250; depth++) nested = { children: [nested] };
    const [width, height] = [3000, 2100];
    const imageResources = {
      versionInfo: { hasRealMergedData: false, writerName: '', readerName: '', fileVersion: 1 },
    };
    expect(await rejectionOf(writePsdBuffer({ width, height, children: [nested], imageResources }))).toBe(
      'uploads.layers_only',
    );
  });

  it('is rejected with what to do where it would take too much memory', async () => {
    const large = documentOf(layerOf(RED));
    large.writeUInt32BE(7_000, 14);
    large.writeUInt32BE(8_000, 18);
    expect(await rejectionOf(large)).toBe('uploads.layers_only');
    const versionInfo = { hasRealMergedData: false, writerName: '', readerName: '', fileVersion: 1 };
    const zipped = writePsdBuffer(
      { ...SIZE, children: [layerOf([200, 0, 0, 254])], imageResources: { versionInfo } },
      { compress: true },
    );
    const corner = zipped.indexOf('8BIMnorm', 0, 'latin1') - 4 * 6 - 2 - 8;
    zipped.writeInt32BE(11_000, corner);
    zipped.writeInt32BE(9_500, corner + 4);
    expect(await rejectionOf(zipped)).toBe('uploads.layers_only');
  });

  it('is rejected where a layer lies outside the file or is too large', async () => {
    const file = documentOf(layerOf([200, 0, 0, 254]));
    const record = file.indexOf('8BIMnorm', 0, 'latin1');
    // Four channels of six bytes, their number, and the lower right corner.
    const corner = record - 4 * 6 - 2 - 8;
    const far = Buffer.from(file);
    far.writeInt32BE(30_000, corner);
    far.writeInt32BE(30_000, corner + 4);
    expect(await rejectionOf(far)).toBe('uploads.undecodable');
    const long = Buffer.from(file);
    long.writeUInt32BE(0x7fffffff, record - 4 * 6 + 2);
    expect(await rejectionOf(long)).toBe('uploads.undecodable');
  });
});

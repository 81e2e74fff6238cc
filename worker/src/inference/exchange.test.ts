import { fstatSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Exchange } from './exchange.js';

const open: Exchange[] = [];
function create(): Exchange {
  const exchange = Exchange.create();
  open.push(exchange);
  return exchange;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((exchange) => exchange.close()));
});

const pixels = (length: number, first: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (first + index) % 251);

describe('Exchange', () => {
  it('keeps large arrays out of the message and returns it unchanged', async () => {
    const exchange = create();
    const message = {
      type: 'enhanced',
      raster: { width: 300, height: 200, data: pixels(180_000, 1) },
      matte: Float32Array.from({ length: 20_000 }, (_, index) => index / 7),
      deep: Uint16Array.from({ length: 90_000 }, (_, index) => index % 65_536),
      kept: [{ variant: 'a', bytes: Buffer.from(pixels(70_000, 9)) }],
      icc: pixels(10, 5),
      changes: null,
    };
    const { message: emptied, stored } = await exchange.pack(message);
    expect([emptied.raster.data.length, emptied.deep.length, emptied.kept[0]?.bytes.length]).toEqual([0, 0, 0]);
    expect(emptied).toMatchObject({ type: 'enhanced', icc: message.icc, changes: null });
    expect(message.raster.data).toHaveLength(180_000);

    const unpacked = await exchange.unpack({ message: structuredClone(emptied), stored });
    expect(unpacked).toMatchObject({ type: 'enhanced', icc: message.icc, changes: null });
    expect(Buffer.compare(unpacked.raster.data, message.raster.data)).toBe(0);
    expect(emptied.matte).toHaveLength(0);
    expect(unpacked.matte).toEqual(message.matte);
    expect(unpacked.deep).toBeInstanceOf(Uint16Array);
    expect(Buffer.compare(Buffer.from(unpacked.deep.buffer), Buffer.from(message.deep.buffer))).toBe(0);
    expect(Buffer.compare(unpacked.kept[0]?.bytes ?? Buffer.of(), message.kept[0]?.bytes ?? Buffer.of(1))).toBe(0);
  });

  it('holds no disk space after it was cleared, and no name', async () => {
    const exchange = create();
    await exchange.pack({ data: pixels(100_000, 0) });
    expect(fstatSync(exchange.fd)).toMatchObject({ size: 100_000, nlink: 0 });
    await exchange.clear();
    expect(fstatSync(exchange.fd).size).toBe(0);
  });

  it('rejects arrays that are no longer there', async () => {
    const exchange = create();
    const { message, stored } = await exchange.pack({ data: pixels(100_000, 0) });
    await exchange.clear();
    await expect(exchange.unpack({ message, stored })).rejects.toThrow('too short');
  });
});

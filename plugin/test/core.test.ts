import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { completeAbortSignal } from '../src/core/abort.ts';
import { isFull, maskFromChanges, maskFromSelection } from '../src/core/mask.ts';
import { asLayer, cropOf, inEightBits, withoutFullAlpha } from '../src/core/pixels.ts';
import { areaOf, type Bounds, heightOf, overlapOf, widthOf } from '../src/core/place.ts';
import type { Pixels } from '../src/core/png.ts';
import { Batch } from '../src/core/queue.ts';
import { directionOf, languageOf, translator } from '../src/core/texts.ts';
import { blendCore, coreOf, tilesOf } from '../src/core/tiles.ts';
import { type Choices, DEFAULT_CHOICES, hasTool, isLocal, keepsDepth, lockOf, pipelineOf } from '../src/core/tools.ts';

const bounds = (left: number, top: number, right: number, bottom: number): Bounds => ({ left, top, right, bottom });
const gray = (width: number, height: number, data: ArrayLike<number>): Pixels => ({
  width,
  height,
  channels: 1,
  data: Uint8Array.from(data),
});

describe('tiles', () => {
  it.each([
    [bounds(0, 0, 100, 80), 4096],
    [bounds(13, 7, 9013, 6007), 4096],
    [bounds(0, 0, 1000, 3), 400],
  ])('of %o with %i pixels a side fit, and their cores cover all', (whole, side) => {
    const tiles = tilesOf(whole, side, 96);
    for (const { source, core } of tiles) {
      expect(Math.max(widthOf(source), heightOf(source))).toBeLessThanOrEqual(side);
      expect(overlapOf(source, core)).toEqual(core);
    }
    const columns = new Set(tiles.flatMap(({ core }) => [core.left, core.right]));
    const rows = new Set(tiles.flatMap(({ core }) => [core.top, core.bottom]));
    for (const x of columns)
      for (const y of rows) {
        const point = bounds(Math.min(x, whole.right - 1), Math.min(y, whole.bottom - 1), x + 1, y + 1);
        const pixel = { ...point, right: point.left + 1, bottom: point.top + 1 };
        expect(tiles.some(({ core }) => overlapOf(core, pixel))).toBe(true);
      }
  });

  it('of an untouched picture put together are the picture, and of two shades fade without a step', () => {
    const whole = bounds(0, 0, 450, 60);
    const picture = Uint8Array.from(
      { length: areaOf(whole) },
      (_, at) => ((at % 450) * 7 + Math.floor(at / 450)) % 256,
    );
    const shades = new Uint8Array(areaOf(whole));
    const rebuilt = new Uint8Array(areaOf(whole));
    for (const [index, tile] of tilesOf(whole, 300, 96).entries()) {
      const { source, core } = tile;
      const cut = Uint8Array.from({ length: areaOf(source) }, (_, at) => {
        const x = source.left + (at % widthOf(source));
        return picture[(source.top + Math.floor(at / widthOf(source))) * 450 + x] ?? 0;
      });
      const flat = new Uint8Array(areaOf(source)).fill(100 + index * 20);
      for (const [target, content] of [
        [rebuilt, cut],
        [shades, flat],
      ] as const) {
        const kept = coreOf(tile, gray(widthOf(source), heightOf(source), content));
        const rowOf = (y: number) => target.subarray((core.top + y) * 450 + core.left).subarray(0, kept.width);
        blendCore(kept, rowOf, { left: core.left > 0, top: core.top > 0 });
        for (let y = 0; y < kept.height; y++)
          target.set(kept.data.subarray(y * kept.width, (y + 1) * kept.width), (core.top + y) * 450 + core.left);
      }
    }
    expect(Buffer.compare(rebuilt, picture)).toBe(0);
    const steps = Array.from({ length: 449 }, (_, x) =>
      Math.abs((shades[30 * 450 + x + 1] ?? 0) - (shades[30 * 450 + x] ?? 0)),
    );
    expect(Math.max(...steps)).toBeLessThanOrEqual(2);
  });

  it('take no result of another size', () => {
    const [tile] = tilesOf(bounds(0, 0, 10, 10), 100, 2);
    if (!tile) throw new Error('no tile');
    expect(() => coreOf(tile, gray(9, 10, new Uint8Array(90)))).toThrow(RangeError);
  });
});

describe('masks', () => {
  it('show the part of a selection at the place of the result', () => {
    const selection = { bounds: bounds(2, 1, 5, 3), mask: gray(3, 2, [10, 20, 30, 40, 50, 60]) };
    expect(maskFromSelection(selection, bounds(3, 0, 6, 3)).data).toEqual(
      Uint8Array.from([0, 0, 0, 20, 30, 0, 50, 60, 0]),
    );
    expect(maskFromSelection(selection, bounds(8, 8, 9, 9)).data).toEqual(Uint8Array.from([0]));
  });

  it('of changes are scaled to the result as sharp scales by nearest pixels, and full where a change is seen', async () => {
    const map = gray(3, 2, [0, 8, 16, 32, 64, 255]);
    const { data } = maskFromChanges(map, { width: 9, height: 6 });
    const scaled = await sharp(map.data, { raw: { width: 3, height: 2, channels: 1 } })
      .resize(9, 6, { kernel: 'nearest' })
      .toColourspace('b-w')
      .raw()
      .toBuffer();
    expect([...data]).toEqual([...scaled].map((level) => Math.min(255, level * 8)));
  });

  it('that hide nothing are none', () => {
    expect([isFull(gray(1, 2, [255, 255])), isFull(gray(1, 2, [255, 254]))]).toEqual([true, false]);
  });
});

describe('layers', () => {
  const source: Pixels = { width: 2, height: 1, channels: 4, data: Uint8Array.of(1, 2, 3, 0, 4, 5, 6, 255) };
  const result: Pixels = { width: 2, height: 1, channels: 3, data: Uint8Array.of(9, 8, 7, 6, 5, 4) };

  it('keep the transparency of their source, and are opaque without one', () => {
    expect(asLayer(result, source).data).toEqual(Uint8Array.of(9, 8, 7, 0, 6, 5, 4, 255));
    expect(asLayer(result, null).data).toEqual(Uint8Array.of(9, 8, 7, 255, 6, 5, 4, 255));
    expect(asLayer(gray(1, 1, [5]), null).data).toEqual(Uint8Array.of(5, 5, 5, 255));
  });

  it('are sent without an alpha channel where nothing is transparent', () => {
    expect(withoutFullAlpha(source)).toBe(source);
    const opaque = { ...source, data: Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255) };
    expect(withoutFullAlpha(opaque)).toEqual({
      width: 2,
      height: 1,
      channels: 3,
      data: Uint8Array.of(1, 2, 3, 4, 5, 6),
    });
  });

  it('of 16 bits keep the transparency of their source, and are reduced to 8', () => {
    const deep: Pixels = { width: 2, height: 1, channels: 3, data: Uint16Array.of(257, 0, 65_535, 1, 128, 129) };
    expect(asLayer(deep, source).data).toEqual(Uint16Array.of(257, 0, 65_535, 0, 1, 128, 129, 65_535));
    expect(inEightBits(deep).data).toEqual(Uint8Array.of(1, 0, 255, 0, 0, 1));
  });

  it('are cut to a face within their edges', () => {
    const part = cropOf(gray(3, 2, [1, 2, 3, 4, 5, 6]), { x: 1, y: 0, width: 9, height: 1 }, 1);
    expect(part).toEqual(gray(2, 1, [2, 3]));
  });
});

describe('tools', () => {
  const UPSCALE = { factors: [1, 2, 4], max_side: 2048 };
  const choices: Choices = {
    tools: {
      face_enhance: { model: 'v2', strength: 0.5, isOn: true },
      bokeh: { model: 'low', strength: 1, isOn: false },
    },
    upscale: 1,
    faces: { 1: 0.25 },
  };

  it('become a pipeline that keeps the size of a layer', () => {
    expect(pipelineOf(choices, 800, UPSCALE)).toEqual({
      face_enhance: { model: 'v2', strength: 0.5, faces: [{ index: 1, strength: 0.25 }] },
      upscale: { factor: 1 },
    });
    expect(pipelineOf(DEFAULT_CHOICES, 2049, UPSCALE)).toEqual({
      face_enhance: { model: 'base' },
      background_enhance: { model: 'base' },
      upscale: { factor: 1 },
      output_size: 'original',
    });
  });

  it('say when there are none, and whether parts of a picture come out as the whole', () => {
    const off: Choices = { tools: {}, upscale: 1, faces: {} };
    expect([hasTool(off), hasTool({ ...off, upscale: 2 }), hasTool(choices)]).toEqual([false, true, true]);
    const look = { ...choices, tools: { color_enhance: { model: 'golden', strength: 1, isOn: true } } };
    expect([isLocal(choices), isLocal({ ...choices, upscale: 2 }), isLocal(look)]).toEqual([true, false, false]);
  });

  it('keep 16 bits in large results, and where only color is asked for', () => {
    const look = { ...choices, tools: { color_enhance: { model: 'golden', strength: 1, isOn: true } } };
    expect([choices, look].map((chosen) => keepsDepth(chosen, 2048, UPSCALE))).toEqual([false, true]);
    expect(keepsDepth(choices, 2049, UPSCALE)).toBe(true);
    expect(keepsDepth({ ...look, upscale: 2 }, 2049, UPSCALE)).toBe(false);
  });

  it('name the plan that they need, but for test keys', () => {
    expect(lockOf('business', { plan: 'personal', isTest: false })).toBe('business');
    expect(lockOf('business', { plan: 'base', isTest: true })).toBeNull();
    expect(lockOf('personal', { plan: 'business', isTest: false })).toBeNull();
  });
});

describe('texts', () => {
  it('are of the language of Photoshop, else English', () => {
    const known = ['en', 'pt_BR', 'es_419', 'de'];
    expect(['de_DE', 'pt_BR', 'pt-PT', 'es_MX', 'ko_KR', ''].map((name) => languageOf(name, known))).toEqual([
      'de',
      'pt_BR',
      'pt_BR',
      'es_419',
      'en',
      'en',
    ]);
    expect([directionOf('ar'), directionOf('de')]).toEqual(['rtl', 'ltr']);
    const t = translator({ en: { a: '{x} of {y, number}', b: 'b' }, de: { a: '{y, number}/{x}' } }, 'de');
    expect([t('a', { x: 1, y: 2 }), t('b'), t('c'), t('a')]).toEqual(['2/1', 'b', 'c', '{y, number}/{x}']);
  });
});

describe('signals of an older UXP', () => {
  const members = [
    [AbortSignal, 'any'],
    [AbortSignal.prototype, 'throwIfAborted'],
    [AbortSignal.prototype, 'reason'],
    [AbortController.prototype, 'abort'],
  ] as const;
  const own = members.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
  afterEach(() => {
    for (const [index, [owner, name]] of members.entries())
      Object.defineProperty(owner, name, own[index] as PropertyDescriptor);
  });

  it('have reasons, and follow several others', () => {
    for (const [owner, name] of members.slice(0, 3)) Reflect.deleteProperty(owner, name);
    completeAbortSignal();
    const [first, second] = [new AbortController(), new AbortController()];
    const both = AbortSignal.any([first.signal, second.signal]);
    expect(() => both.throwIfAborted()).not.toThrow();
    const reason = new Error('enough');
    second.abort(reason);
    expect(both.reason).toBe(reason);
    expect(() => both.throwIfAborted()).toThrow(reason);
    first.abort();
    expect(first.signal.reason).toMatchObject({ name: 'AbortError' });
    expect(both.reason).toBe(reason);
    expect(AbortSignal.any([first.signal]).aborted).toBe(true);
  });
});

describe('a batch', () => {
  const works = (count: number) => Array.from({ length: count }, (_, index) => ({ work: index, name: String(index) }));
  const statesOf = (batch: Batch<number>) => batch.items.map(({ state }) => state);
  const failure = (status: number | null, isRetryable = false) =>
    Object.assign(new Error('no'), { status, isRetryable });

  it('works on two at a time, and goes on after a failure', async () => {
    let [running, most] = [0, 0];
    const batch = new Batch(works(5), {
      concurrency: 2,
      onChange: () => undefined,
      run: async (work) => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        if (work === 1) throw failure(422);
        return work !== 2;
      },
    });
    await batch.run();
    expect([most, statesOf(batch)]).toEqual([2, ['done', 'failed', 'skipped', 'done', 'done']]);
    expect(batch.stoppedBy).toBeNull();
  });

  it.each([
    [401, false],
    [402, false],
    [403, false],
    [409, false],
    [503, true],
    [null, true],
  ])('stops at the status %s, and works on what is left when it is tried again', async (status, isRetryable) => {
    let isAway = true;
    const batch = new Batch(works(4), {
      concurrency: 1,
      onChange: () => undefined,
      run: async (work) => {
        if (work === 1 && isAway) throw failure(status, isRetryable);
        return true;
      },
    });
    await batch.run();
    expect(statesOf(batch)).toEqual(['done', 'failed', 'stopped', 'stopped']);
    expect(batch.stoppedBy).toMatchObject({ status });
    isAway = false;
    await batch.retry();
    expect(statesOf(batch)).toEqual(['done', 'done', 'done', 'done']);
    expect(batch.stoppedBy).toBeNull();
  });

  it('ends when it is canceled', async () => {
    const batch: Batch<number> = new Batch(works(3), {
      concurrency: 1,
      onChange: () => undefined,
      run: async (_, signal) => {
        batch.cancel();
        signal.throwIfAborted();
        return true;
      },
    });
    await batch.run();
    expect([statesOf(batch), batch.stoppedBy]).toEqual([['stopped', 'stopped', 'stopped'], null]);
  });
});

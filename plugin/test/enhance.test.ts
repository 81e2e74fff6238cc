import { beforeEach, describe, expect, it } from 'vitest';
import { type Choices, DEFAULT_CHOICES } from '../src/core/tools.ts';
import { activeTarget, openDocuments, place, type Scope, selectedLayers } from '../src/host/documents.ts';
import { enhance, fileOf, type Step } from '../src/work/enhance.ts';
import { history } from '../src/work/memory.ts';
import { freshHost } from './fake/current.ts';
import type { FakeDocument, FakeHost } from './fake/host.ts';
import { answeringService, type Calls } from './service.ts';

const FACES = { model: 'base', strength: 1, isOn: true };
const UPSCALE = { factors: [1, 2, 4], max_side: 2048 };

let host: FakeHost;
let document: FakeDocument;
let calls: Calls;
let service: ReturnType<typeof answeringService>['service'];

const isInside = (x: number, y: number): boolean => x >= 4 && x < 24 && y >= 3 && y < 13;
/** Opaque within a part of the document. */
const paint = (x: number, y: number): number[] => (isInside(x, y) ? [x * 5, y * 7, 60, 255] : [0, 0, 0, 0]);

beforeEach(() => {
  host = freshHost();
  document = host.open({ width: 40, height: 20, name: 'portrait.psd' });
  document.addLayer('Background', () => [9, 9, 9, 255]);
  document.addLayer('Face', paint);
  ({ service, calls } = answeringService());
});

interface Options {
  readonly choices?: Choices;
  readonly controller?: AbortController;
  readonly onStep?: (step: Step) => void;
}

const run = (scope: Scope, { choices = DEFAULT_CHOICES, controller = new AbortController(), onStep }: Options = {}) =>
  enhance(activeTarget(scope), {
    service,
    choices,
    upscale: UPSCALE,
    title: 'Restore faces',
    signal: controller.signal,
    onStep: (step) => onStep?.(step),
  });

const pixelAt = ({ samples }: { samples: Uint8Array | Uint16Array }, x: number, y: number) => [
  ...samples.subarray((y * 40 + x) * 4, (y * 40 + x) * 4 + 4),
];
const snapshot = () => document.layers.map(({ name, samples }) => [name, [...samples]]);

describe('a layer', () => {
  it('gets its result above it, at its place, masked, in one step that undoes to the bytes before', async () => {
    const before = snapshot();
    const phases = new Set<string>();
    calls.states = ['created', 'processing'];
    await run('layer', { onStep: ({ phase }) => phases.add(phase) });
    expect(document.layers.map(({ name }) => name)).toEqual(['Face · Restore faces', 'Face', 'Background']);
    const [result, source] = document.layers;
    if (!result || !source) throw new Error('no layers');
    expect(pixelAt(result, 4, 3)).toEqual([255 - 20, 255 - 21, 255 - 60, 255]);
    expect(pixelAt(result, 3, 3)).toEqual([0, 0, 0, 0]);
    expect(pixelAt(source, 4, 3)).toEqual([20, 21, 60, 255]);
    // What changed is all of it: no mask is needed.
    expect(result.mask).toBeNull();
    expect(calls.sent.map(({ width, height, channels }) => [width, height, channels])).toEqual([[20, 10, 3]]);
    expect(phases).toEqual(new Set(['reading', 'uploading', 'waiting', 'processing', 'placing']));
    expect(document.history).toEqual(['Restore faces']);
    expect(host.undisposed).toBe(0);
    expect(await history()).toEqual([expect.objectContaining({ taskId: 'task-1', name: 'Face', left: 4, top: 3 })]);
    document.undo();
    expect(snapshot()).toEqual(before);
  });

  it('is the source of the next run, too, whose result is above the earlier one', async () => {
    await run('layer');
    await run('layer', { choices: { ...DEFAULT_CHOICES, upscale: 1, tools: { face_enhance: FACES } } });
    expect(calls.sent[1]).toEqual(calls.sent[0]);
    expect(document.layers.map(({ name }) => name)).toEqual([
      'Face · Restore faces',
      'Face · Restore faces',
      'Face',
      'Background',
    ]);
    const [second, first] = document.layers;
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
    expect(document.activeLayers.map(({ name }) => name)).toEqual(['Face']);
  });

  it('sends the key, the device and an idempotency key, and no file address gets them', async () => {
    await run('layer');
    const headersOf = (call: string) => calls.headers[calls.asked.indexOf(call)];
    const sent = headersOf('POST /enhance');
    expect(sent?.get('authorization')).toBe('Bearer cfk_live_1');
    expect(sent?.get('x-device-id')).toBe('ps-1');
    expect(sent?.get('idempotency-key')).toMatch(/^[\da-f-]{36}$/);
    expect([...(headersOf('GET /media/result.png') ?? [])]).toEqual([]);
  });

  it('keeps its transparency', async () => {
    document.addLayer('Soft', (x, y) => [10, 20, 30, isInside(x, y) ? (x === 4 ? 128 : 255) : 0]);
    await run('layer');
    expect(calls.sent[0]?.channels).toBe(4);
    expect(document.layers[0] && pixelAt(document.layers[0], 4, 3)).toEqual([245, 235, 225, 128]);
  });
});

describe('a selection', () => {
  it('is sent alone, and is the mask of the result', async () => {
    document.selected = Uint8Array.from({ length: 800 }, (_, at) => (at % 40 >= 10 && at % 40 < 30 ? 200 : 0));
    await run('selection');
    expect(calls.sent.map(({ width, height }) => [width, height])).toEqual([[14, 10]]);
    const { mask } = document.layers[0] ?? {};
    expect([mask?.[5 * 40 + 9], mask?.[5 * 40 + 10], mask?.[5 * 40 + 23], mask?.[5 * 40 + 24]]).toEqual([
      0, 200, 200, 0,
    ]);
    expect(calls.asked).not.toContain('POST /tasks/task-1/changes');
  });

  it('beside the pixels of the layer has none', async () => {
    document.selected = Uint8Array.from({ length: 800 }, (_, at) => (at % 40 >= 30 ? 255 : 0));
    expect(() => activeTarget('selection')).toThrow(expect.objectContaining({ reason: 'empty' }));
  });
});

describe('a document', () => {
  it('is sent as it is seen, and gets its result on top', async () => {
    document.activeLayers = [document.layers[1] ?? document.addLayer('x', paint)];
    await run('document');
    expect(calls.sent.map(({ width, height }) => [width, height])).toEqual([[40, 20]]);
    expect(document.layers[0]?.name).toBe('portrait.psd · Restore faces');
  });

  it('that is enlarged opens as another one, and stays as it is', async () => {
    calls.enhance = ({ width, height, channels }) => ({
      width: width * 2,
      height: height * 2,
      channels,
      data: new Uint8Array(width * height * channels * 4).fill(7),
    });
    await run('document', { choices: { ...DEFAULT_CHOICES, upscale: 2 } });
    expect(document.layers).toHaveLength(2);
    expect(host.documents.map(({ width, height }) => [width, height])).toEqual([
      [40, 20],
      [80, 40],
    ]);
    expect(host.undisposed).toBe(0);
  });

  it.each(['bitmapMode', 'indexedColorMode', 'multichannelMode', 'duotoneMode'])('in %s is refused', (mode) => {
    document.mode = mode;
    expect(() => activeTarget('document')).toThrow(expect.objectContaining({ reason: 'mode' }));
  });

  it('of 16 bits is enhanced with 16 bits where the result keeps them', async () => {
    document = host.open({ width: 40, height: 20, name: 'deep.tif', depth: 16 });
    document.addLayer('Face', (x, y) => [x * 800, y * 1_600, 12_345, 32_768]);
    expect(await run('layer')).toMatchObject({ depth: 8 });
    const look: Choices = { ...DEFAULT_CHOICES, tools: { color_enhance: { ...FACES, model: 'golden' } } };
    expect(await run('layer', { choices: look })).toMatchObject({ depth: 16, isJpeg: false });
    expect(calls.sent.map(({ data }) => data.BYTES_PER_ELEMENT)).toEqual([1, 2]);
    expect(document.layers[0] && pixelAt(document.layers[0], 4, 3)).toEqual([
      32_768 - 3_200,
      32_768 - 4_800,
      32_768 - 12_345,
      32_768,
    ]);
  });

  it.each([
    ['RGBColorMode', 'bitDepth8', 'sRGB IEC61966-2.1', { depth: 8, isConverted: false }],
    ['CMYKColorMode', 'bitDepth8', 'Coated FOGRA39', { depth: 8, isConverted: true }],
    ['RGBColorMode', 'bitDepth16', 'Display P3', { depth: 16, isConverted: true }],
    ['RGBColorMode', 'bitDepth32', 'None', { depth: 32, isConverted: false }],
  ])('in %s with %s and %s is told apart', (mode, bitsPerChannel, colorProfileName, expected) => {
    Object.assign(document, { mode, bitsPerChannel, colorProfileName });
    expect(activeTarget('document')).toMatchObject(expected);
  });
});

describe('a picture whose PNG is too large', () => {
  const pixels = { width: 64, height: 64, channels: 4, data: new Uint8Array(64 * 64 * 4).fill(99) } as const;
  const { signal } = new AbortController();

  it('is sent as JPEG, and refused where that is too large, too', async () => {
    const png = await fileOf(pixels, signal);
    expect(png.extension).toBe('png');
    const { extension, bytes } = await fileOf(pixels, signal, png.bytes.length - 1);
    expect([extension, ...bytes.subarray(0, 3)]).toEqual(['jpg', 255, 216, 255]);
    expect(host.undisposed).toBe(0);
    await expect(fileOf(pixels, signal, 10)).rejects.toMatchObject({ reason: 'too_large' });
  });
});

describe('what can be enhanced', () => {
  it('is named: no document, no layer, no selection, no pixels, no tool', async () => {
    expect(() => activeTarget('selection')).toThrow(expect.objectContaining({ reason: 'no_selection' }));
    await expect(run('layer', { choices: { tools: {}, upscale: 1, faces: {} } })).rejects.toMatchObject({
      reason: 'no_tools',
    });
    document.activeLayers = [];
    expect(() => activeTarget('layer')).toThrow(expect.objectContaining({ reason: 'no_layer' }));
    document.addLayer('Nothing', () => [0, 0, 0, 0]);
    expect(() => activeTarget('layer')).toThrow(expect.objectContaining({ reason: 'empty' }));
    document.activeLayers = [...document.layers];
    expect(selectedLayers().map(({ layerName }) => layerName)).toEqual(['Face', 'Background']);
    expect(openDocuments().map(({ documentName }) => documentName)).toEqual(['portrait.psd']);
    host.close(document);
    expect(() => activeTarget('layer')).toThrow(expect.objectContaining({ reason: 'no_document' }));
    expect(calls.asked).toEqual([]);
  });

  it('has no more pixels than fit into memory', async () => {
    const target = { ...activeTarget('layer'), bounds: { left: 0, top: 0, right: 8000, bottom: 7600 } };
    const options = {
      service,
      upscale: UPSCALE,
      title: '',
      signal: new AbortController().signal,
      onStep: () => undefined,
    };
    await expect(enhance(target, { ...options, choices: DEFAULT_CHOICES })).rejects.toMatchObject({
      reason: 'many_pixels',
    });
    const large = { ...target, bounds: { left: 0, top: 0, right: 7000, bottom: 4000 } };
    const look: Choices = {
      ...DEFAULT_CHOICES,
      tools: { color_enhance: { model: 'golden', strength: 1, isOn: true } },
    };
    await expect(enhance(large, { ...options, choices: look })).rejects.toMatchObject({ reason: 'tiles' });
    const enlarged = { ...target, bounds: { left: 0, top: 0, right: 4000, bottom: 3000 } };
    const twice = { ...DEFAULT_CHOICES, upscale: 2 };
    await expect(enhance(enlarged, { ...options, choices: twice })).rejects.toMatchObject({ reason: 'enlarged' });
    expect(calls.asked).toEqual([]);
  });
});

describe('Photoshop', () => {
  it('is free while the network works, and is written to while it is ours only', async () => {
    const modal = new Set<boolean>();
    calls.before = () => {
      modal.add(host.isModal);
    };
    await run('layer');
    expect(modal).toEqual(new Set([false]));
    expect(host.isModal).toBe(false);
    await expect(document.createPixelLayer({ name: 'x' })).rejects.toThrow('outside of executeAsModal');
  });

  it('that another plug-in holds is said to be busy, and nothing is sent', async () => {
    host.isBusy = true;
    await expect(run('layer')).rejects.toMatchObject({ reason: 'busy' });
    expect(calls.asked).toEqual([]);
  });

  it('with a document that was closed or resized meanwhile gets nothing, and keeps no memory', async () => {
    calls.before = (call) => {
      if (call.startsWith('GET /media')) host.close(document);
    };
    await expect(run('layer')).rejects.toMatchObject({ reason: 'closed' });
    expect(await history()).toHaveLength(1);
    expect(host.undisposed).toBe(0);
    host.documents = [document];
    host.activeDocument = document;
    calls.before = (call) => {
      if (call.startsWith('GET /media')) Object.assign(document, { height: 21 });
    };
    await expect(run('layer')).rejects.toMatchObject({ reason: 'resized' });
    expect(document.layers).toHaveLength(2);
  });

  it('that fails while it is written to is as before', async () => {
    const before = snapshot();
    const pixels = { width: 2, height: 2, channels: 4, data: new Uint8Array(16) } as const;
    const mask = { width: 3, height: 2, channels: 1, data: new Uint8Array(5) } as const;
    const bounds = { left: 0, top: 0, right: 2, bottom: 2 };
    const placing = place(activeTarget('layer'), { name: 'x', commandName: 'x', pixels, bounds, mask });
    await expect(placing).rejects.toThrow('another size');
    expect(snapshot()).toEqual(before);
    expect([document.history, host.undisposed, host.isModal]).toEqual([[], 0, false]);
  });
});

describe('cancel', () => {
  it.each(['reading', 'uploading', 'waiting', 'processing', 'placing'] as const)(
    'while %s leaves the document as it was, and ends the work on the server',
    async (phase) => {
      calls.states = ['created', 'processing'];
      const before = snapshot();
      const controller = new AbortController();
      const reason = new DOMException('Canceled', 'AbortError');
      const onStep = (step: Step) => {
        if (step.phase === phase) controller.abort(reason);
      };
      if (phase === 'uploading') calls.before = (call) => void (call === 'POST /enhance' && controller.abort(reason));
      await expect(run('layer', { controller, onStep })).rejects.toBe(reason);
      expect(snapshot()).toEqual(before);
      expect([document.history, host.undisposed, host.isModal]).toEqual([[], 0, false]);
      const isStarted = phase === 'waiting' || phase === 'processing';
      expect(calls.asked.includes('POST /tasks/task-1/cancel')).toBe(isStarted);
    },
  );
});

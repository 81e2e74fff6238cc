/**
 * Enhances a picture as a layer of a Photoshop in memory, by a product: `node --expose-gc measure.ts PICTURE DEPTH URL KEY`. Writes
 * what it took as JSON. A process of its own, so that its memory is the plug-in's.
 */
import { registerHooks } from 'node:module';
import sharp from 'sharp';

const FAKES: Readonly<Record<string, string>> = { photoshop: 'fake/photoshop.ts', uxp: 'fake/uxp.ts' };
const fileOf = (specifier: string): string | null =>
  FAKES[specifier] ??
  (specifier.startsWith('@clearframe/client/') ? specifier.replace('@clearframe/client/', '../../client/src/') : null);
registerHooks({
  resolve: (specifier, context, next) => {
    const file = fileOf(specifier);
    return file ? { url: new URL(file, import.meta.url).href, shortCircuit: true } : next(specifier, context);
  },
});
const { Service } = await import('../src/api/service.ts');
const { withoutFullAlpha } = await import('../src/core/pixels.ts');
const { decodePng, encodePng } = await import('../src/core/png.ts');
const { DEFAULT_CHOICES } = await import('../src/core/tools.ts');
const { activeTarget, read } = await import('../src/host/documents.ts');
const { deviceId } = await import('../src/host/store.ts');
const { enhance } = await import('../src/work/enhance.ts');
const { freshHost } = await import('./fake/current.ts');

const [picture = '', bits, baseUrl = '', apiKey = ''] = process.argv.slice(2);
const depth = bits === '16' ? 16 : 8;

async function openPicture() {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const opened = freshHost().open({ width: info.width, height: info.height, name: 'measured.psd', depth });
  const { samples } = opened.addLayer('Portrait', () => []);
  for (let at = 0; at < data.length; at++) samples[at] = (data[at] ?? 0) * (depth === 16 ? 128 : 1);
  return opened;
}

/** Of the processor: of an idle machine, the time that it takes. */
async function secondsOf<Result>(work: () => Promise<Result>): Promise<{ seconds: number; result: Result }> {
  const start = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, result };
}

async function measureCoding() {
  const { pixels } = await read(activeTarget('layer'), 'Measure', { depth });
  const encoded = await secondsOf(() => encodePng(withoutFullAlpha(pixels)));
  const decoded = await secondsOf(() => decodePng(encoded.result));
  return { pngBytes: encoded.result.byteLength, encodeSeconds: encoded.seconds, decodeSeconds: decoded.seconds };
}

const document = await openPicture();
const coding = await measureCoding();
globalThis.gc?.();
let peak = 0;
const sample = () => {
  const { heapUsed, external } = process.memoryUsage();
  // Without what Photoshop would hold.
  peak = Math.max(peak, heapUsed + external - document.bytes);
};
const timer = setInterval(sample, 5);
const service = new Service({ apiKey, deviceId: await deviceId(), baseUrl });
const { upscale } = await service.offers('en', await deviceId());
const { depth: madeWith } = await enhance(activeTarget('layer'), {
  service,
  choices: DEFAULT_CHOICES,
  upscale,
  title: 'Measure',
  signal: new AbortController().signal,
  onStep: sample,
});
clearInterval(timer);
sample();
const { width, height } = document;
process.stdout.write(JSON.stringify({ width, height, ...coding, peak, depth: madeWith }));
